import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import formClasses from "../Form.module.css";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { FunderField } from "./fields/FunderField.tsx";
import { Group } from "./Group.tsx";
import { FunderDialog } from "./paste/FunderDialog.tsx";
import { PasteButton } from "./paste/PasteButton.tsx";

/** Funders and grants. */
export function FundingGroup() {
  const { t } = useTranslation("new");
  return (
    <Group name="funding" lists={["fundingReferences"]}>
      <EntryList
        list="fundingReferences"
        nameOf={({ funderName, awardTitle }) => funderName || awardTitle}
        kindOf={({ awardNumber }) => awardNumber}
        Fields={FundingFields}
        additions={[{ label: t("more.add.fundingReferences") }]}
        first="funderName"
        besides={(say) => (
          <PasteButton list="fundingReferences" words={t("paste.funders.title")} Dialog={FunderDialog} say={say} />
        )}
      />
    </Group>
  );
}

function FundingFields(props: EntryProps<"fundingReferences">) {
  const { input, set } = useEntry("fundingReferences", props);
  return (
    <div className={formClasses.fields}>
      <FunderField
        name={input("funderName")}
        identifier={input("funderIdentifier")}
        type={input("funderIdentifierType")}
        fill={(funderName, identifiers) => set({ funderName, ...identifiers })}
      />
      <div className={formClasses.two}>
        <TextInput {...input("awardNumber")} />
        <TextInput {...input("awardUri")} spellCheck={false} placeholder="https://…" />
      </div>
      <TextInput {...input("awardTitle")} />
    </div>
  );
}
