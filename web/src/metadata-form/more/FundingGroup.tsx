import { Button, TextInput } from "@mantine/core";
import IconClipboardText from "@tabler/icons-react/dist/esm/icons/IconClipboardText.mjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import newClasses from "../../new/New.module.css";
import { useMetadataForm } from "../context.ts";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { FunderField } from "./fields/FunderField.tsx";
import { Group } from "./Group.tsx";
import { FunderDialog } from "./paste/FunderDialog.tsx";

/** Funders and grants. */
export function FundingGroup() {
  const { t } = useTranslation("new");
  const { setList } = useMetadataForm();
  const [isPasting, setPasting] = useState(false);
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
          <>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconClipboardText size={16} aria-hidden />}
              onClick={() => setPasting(true)}
            >
              {t("paste.funders.title")}
            </Button>
            <FunderDialog
              isOpen={isPasting}
              onClose={() => setPasting(false)}
              onTake={(entries) => {
                setList("fundingReferences", (known) => [...known, ...entries]);
                say(t("paste.taken", { count: entries.length }));
                setPasting(false);
              }}
            />
          </>
        )}
      />
    </Group>
  );
}

function FundingFields(props: EntryProps<"fundingReferences">) {
  const { input, set } = useEntry("fundingReferences", props);
  return (
    <div className={newClasses.fields}>
      <FunderField
        name={input("funderName")}
        identifier={input("funderIdentifier")}
        type={input("funderIdentifierType")}
        fill={(funderName, identifiers) => set({ funderName, ...identifiers })}
      />
      <div className={newClasses.two}>
        <TextInput {...input("awardNumber")} />
        <TextInput {...input("awardUri")} spellCheck={false} placeholder="https://…" />
      </div>
      <TextInput {...input("awardTitle")} />
    </div>
  );
}
