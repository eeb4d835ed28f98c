import { resourceTypes } from "@accession/rules";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTerm } from "../../ui/useTerm.ts";
import formClasses from "../Form.module.css";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { Group } from "./Group.tsx";
import { DoiDialog } from "./paste/DoiDialog.tsx";
import { PasteButton } from "./paste/PasteButton.tsx";
import { RelationField } from "./terms/RelationField.tsx";
import { TermField } from "./terms/TermField.tsx";
import { IDENTIFIER_TYPES } from "./terms/terms.ts";

/** Related publications, datasets and other resources. */
export function RelatedGroup() {
  const { t } = useTranslation("new");
  const term = useTerm();
  return (
    <Group name="related" lists={["relatedIdentifiers"]}>
      <EntryList
        list="relatedIdentifiers"
        nameOf={({ relatedIdentifier, citation }) => relatedIdentifier || citation}
        kindOf={({ relationType }) => term("relationTypes", relationType)}
        Fields={RelatedFields}
        additions={[{ label: t("more.add.relatedIdentifiers") }]}
        first="relationType"
        besides={(say) => (
          <PasteButton list="relatedIdentifiers" words={t("paste.dois.title")} Dialog={DoiDialog} say={say} />
        )}
      />
    </Group>
  );
}

function RelatedFields(props: EntryProps<"relatedIdentifiers">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("relatedIdentifiers", props);
  const term = useTerm();
  return (
    <div className={formClasses.fields}>
      <RelationField {...input("relationType")} />
      <TextInput {...input("relatedIdentifier")} description={t("more.relatedIdentifierDetail")} spellCheck={false} />
      <div className={formClasses.two}>
        <TermField
          {...input("relatedIdentifierType")}
          terms={[
            { value: "", label: t("more.detect") },
            ...IDENTIFIER_TYPES.map((value) => ({ value, label: value })),
          ]}
        />
        <TermField
          {...input("resourceTypeGeneral")}
          terms={[
            { value: "", label: t("more.unstated") },
            ...resourceTypes.map((value) => ({ value, label: term("resourceTypes", value) })),
          ]}
        />
      </div>
      <Textarea {...input("citation")} description={t("more.citationDetail")} autosize minRows={2} maxRows={8} />
    </div>
  );
}
