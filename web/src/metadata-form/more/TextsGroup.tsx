import { titleTypes } from "@accession/rules";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTerm } from "../../ui/useTerm.ts";
import { useMetadataForm } from "../context.ts";
import formClasses from "../Form.module.css";
import { FromFile } from "../import/FromFile.tsx";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { useField } from "../useField.ts";
import { EntryList } from "./EntryList.tsx";
import { LanguageInput } from "./fields/LanguageInput.tsx";
import { Group } from "./Group.tsx";
import { Part } from "./Part.tsx";
import { TermField } from "./terms/TermField.tsx";
import { DESCRIPTION_TYPES } from "./terms/terms.ts";

/** Further titles, further descriptions by type, and acknowledgements. */
export function TextsGroup() {
  const { t } = useTranslation(["new", "metadata"]);
  const { draft, setDescription } = useMetadataForm();
  const { acknowledgements } = draft.description;
  const term = useTerm();
  const field = useField();
  return (
    <Group
      name="texts"
      lists={["titles", "descriptions"]}
      members={{ acknowledgements: acknowledgements.trim() !== "" }}
    >
      <Part title={t("metadata:lists.titles")}>
        <EntryList
          list="titles"
          nameOf={({ title }) => title}
          kindOf={({ titleType }) => term("titleTypes", titleType)}
          Fields={TitleFields}
          additions={[{ label: t("more.add.titles") }]}
          first="title"
        />
      </Part>
      <Part title={t("metadata:lists.descriptions")}>
        <EntryList
          list="descriptions"
          nameOf={({ descriptionType }) => term("descriptionTypes", descriptionType)}
          kindOf={({ description }) => shortened(description)}
          Fields={DescriptionFields}
          additions={(["Methods", "TechnicalInfo", "TableOfContents", "Other"] as const).map((descriptionType) => ({
            label: t(`more.add.${descriptionType}`),
            known: { descriptionType },
          }))}
          first="description"
        />
      </Part>
      <Textarea
        {...field("/metadata/acknowledgements")}
        label={t("metadata:acknowledgements")}
        description={t("more.acknowledgementsDetail")}
        autosize
        minRows={2}
        maxRows={12}
        value={acknowledgements}
        onChange={({ currentTarget }) => setDescription({ acknowledgements: currentTarget.value })}
      />
      <FromFile member="acknowledgements" />
    </Group>
  );
}

/** The number of characters of a text that its heading shows. */
const SHOWN = 60;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN).trimEnd()} …` : line;
}

function TitleFields(props: EntryProps<"titles">) {
  const { input } = useEntry("titles", props);
  const term = useTerm();
  return (
    <div className={formClasses.fields}>
      <TextInput {...input("title")} />
      <div className={formClasses.two}>
        <TermField
          {...input("titleType")}
          terms={titleTypes.map((value) => ({ value, label: term("titleTypes", value) }))}
        />
        <LanguageInput {...input("language")} />
      </div>
    </div>
  );
}

function DescriptionFields(props: EntryProps<"descriptions">) {
  const { input } = useEntry("descriptions", props);
  const term = useTerm();
  return (
    <div className={formClasses.fields}>
      <Textarea {...input("description")} autosize minRows={4} maxRows={16} />
      <div className={formClasses.two}>
        <TermField
          {...input("descriptionType")}
          terms={DESCRIPTION_TYPES.map((value) => ({ value, label: term("descriptionTypes", value) }))}
        />
        <LanguageInput {...input("language")} />
      </div>
    </div>
  );
}
