import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import formClasses from "../Form.module.css";
import type { TextField } from "../useField.ts";
import { VocabularyField } from "../vocabulary/VocabularyField.tsx";

interface Props {
  name: TextField;
  rorid: TextField;
  /** Changes the name, and the ROR ID if it is given, at once. */
  fill: (name: string, identifiers?: { rorid: string }) => void;
}

/** An institution: its name and its ROR ID. */
export function AffiliationField({ name, rorid, fill }: Props) {
  const { t } = useTranslation("new");
  return (
    <div className={formClasses.two}>
      <VocabularyField
        kind="organisations"
        field={name}
        identifiers={{ rorid: rorid.value }}
        decisive="rorid"
        identifiersOf={({ id }) => ({ rorid: id })}
        fill={fill}
      />
      <TextInput
        {...rorid}
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={t("authors.roridDetail")}
        placeholder="https://ror.org/…"
        spellCheck={false}
      />
    </div>
  );
}
