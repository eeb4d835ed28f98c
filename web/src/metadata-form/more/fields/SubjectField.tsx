import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { VocabularyEntry } from "../../../api/vocabularies.ts";
import formClasses from "../../Form.module.css";
import type { TextField } from "../../list/useEntry.ts";
import { VocabularyField } from "../../vocabulary/VocabularyField.tsx";
import { LanguageInput } from "./LanguageInput.tsx";

interface Props {
  subject: TextField;
  scheme: TextField;
  valueUri: TextField;
  schemeUri: TextField;
  code: TextField;
  language: TextField;
  /** Changes the term, and all that identifies it if that is given, at once. */
  fill: (subject: string, identifiers?: SubjectIdentifiers) => void;
}

// A type and not an interface, so that it is assignable to a record.
type SubjectIdentifiers = {
  subjectScheme: string;
  valueUri: string;
  schemeUri: string;
  classificationCode: string;
  language: string;
};

function identifiersOf({ id, scheme, schemeUri, notation, language }: VocabularyEntry): SubjectIdentifiers {
  return {
    subjectScheme: scheme ?? "",
    valueUri: webAddress(id),
    schemeUri: webAddress(schemeUri),
    classificationCode: notation ?? "",
    language: language ?? "",
  };
}

/** The metadata contain web addresses only, and vocabularies also URNs. */
function webAddress(text: string | null): string {
  return text !== null && /^https?:\/\//i.test(text) ? text : "";
}

/** A term of a vocabulary, with its identifiers. */
export function SubjectField({ subject, scheme, valueUri, schemeUri, code, language, fill }: Props) {
  const { t } = useTranslation("new");
  return (
    <>
      <div className={formClasses.two}>
        <VocabularyField
          kind="subjects"
          field={subject}
          identifiers={{
            subjectScheme: scheme.value,
            valueUri: valueUri.value,
            schemeUri: schemeUri.value,
            classificationCode: code.value,
            language: language.value,
          }}
          decisive="valueUri"
          identifiersOf={identifiersOf}
          fill={fill}
        />
        <TextInput {...scheme} placeholder={t("more.subjectSchemeDetail")} />
      </div>
      <TextInput {...valueUri} placeholder="https://…" spellCheck={false} />
      <TextInput {...schemeUri} placeholder="https://…" spellCheck={false} />
      <div className={formClasses.two}>
        <TextInput {...code} spellCheck={false} />
        <LanguageInput {...language} />
      </div>
    </>
  );
}
