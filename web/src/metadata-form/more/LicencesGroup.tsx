import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import formClasses from "../Form.module.css";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { BELOW } from "./fields/below.ts";
import { Group } from "./Group.tsx";

/** Licences of parts of the dataset. */
export function LicencesGroup() {
  const { t } = useTranslation("new");
  return (
    <Group name="licences" lists={["licenses"]}>
      <EntryList
        list="licenses"
        nameOf={({ license }) => license}
        kindOf={({ appliesTo }) => appliesTo}
        Fields={LicenceFields}
        additions={[{ label: t("more.add.licenses") }]}
        first="license"
      />
    </Group>
  );
}

function LicenceFields(props: EntryProps<"licenses">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("licenses", props);
  return (
    <div className={formClasses.two}>
      <TextInput {...input("license")} {...BELOW} description={t("more.licenceDetail")} spellCheck={false} />
      <TextInput {...input("appliesTo")} {...BELOW} description={t("more.appliesToDetail")} />
    </div>
  );
}
