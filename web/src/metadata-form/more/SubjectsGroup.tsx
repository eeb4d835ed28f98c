import { useTranslation } from "react-i18next";
import formClasses from "../Form.module.css";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { SubjectField } from "./fields/SubjectField.tsx";
import { Group } from "./Group.tsx";

/** Subjects from controlled vocabularies. */
export function SubjectsGroup() {
  const { t } = useTranslation("new");
  return (
    <Group name="subjects" lists={["subjectTerms"]}>
      <EntryList
        list="subjectTerms"
        nameOf={({ subject }) => subject}
        kindOf={({ subjectScheme }) => subjectScheme}
        Fields={SubjectFields}
        additions={[{ label: t("more.add.subjectTerms") }]}
        first="subject"
      />
    </Group>
  );
}

function SubjectFields(props: EntryProps<"subjectTerms">) {
  const { input, set } = useEntry("subjectTerms", props);
  return (
    <div className={formClasses.fields}>
      <SubjectField
        subject={input("subject")}
        scheme={input("subjectScheme")}
        valueUri={input("valueUri")}
        schemeUri={input("schemeUri")}
        code={input("classificationCode")}
        language={input("language")}
        fill={(subject, identifiers) => set({ subject, ...identifiers })}
      />
    </div>
  );
}
