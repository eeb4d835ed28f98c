import { Button, Textarea, TextInput } from "@mantine/core";
import IconClipboardText from "@tabler/icons-react/dist/esm/icons/IconClipboardText.mjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import newClasses from "../../new/New.module.css";
import { useTerm } from "../../ui/useTerm.ts";
import { useMetadataForm } from "../context.ts";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import type { Entry } from "../lists.ts";
import { EntryList } from "./EntryList.tsx";
import { Group } from "./Group.tsx";
import { DoiDialog } from "./paste/DoiDialog.tsx";
import { RelationField } from "./terms/RelationField.tsx";
import { TermField } from "./terms/TermField.tsx";
import { IDENTIFIER_TYPES, RESOURCE_TYPES } from "./terms/terms.ts";

/** Related publications, datasets and other resources. */
export function RelatedGroup() {
  const { t } = useTranslation("new");
  const { setList } = useMetadataForm();
  const term = useTerm();
  const [isPasting, setPasting] = useState(false);
  const take = (entries: Entry<"relatedIdentifiers">[]) =>
    setList("relatedIdentifiers", (known) => [...known, ...entries]);
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
          <>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconClipboardText size={16} aria-hidden />}
              onClick={() => setPasting(true)}
            >
              {t("paste.dois.title")}
            </Button>
            <DoiDialog
              isOpen={isPasting}
              onClose={() => setPasting(false)}
              onTake={(entries) => {
                take(entries);
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

function RelatedFields(props: EntryProps<"relatedIdentifiers">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("relatedIdentifiers", props);
  const term = useTerm();
  return (
    <div className={newClasses.fields}>
      <RelationField {...input("relationType")} />
      <TextInput {...input("relatedIdentifier")} description={t("more.relatedIdentifierDetail")} spellCheck={false} />
      <div className={newClasses.two}>
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
            ...RESOURCE_TYPES.map((value) => ({ value, label: term("resourceTypes", value) })),
          ]}
        />
      </div>
      <Textarea {...input("citation")} description={t("more.citationDetail")} autosize minRows={2} maxRows={8} />
    </div>
  );
}
