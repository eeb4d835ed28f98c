import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import newClasses from "../../new/New.module.css";
import type { TextField } from "../list/useEntry.ts";
import { LanguageInput } from "./LanguageInput.tsx";

interface Props {
  subject: TextField;
  scheme: TextField;
  valueUri: TextField;
  schemeUri: TextField;
  code: TextField;
  language: TextField;
}

/** A term of a vocabulary, with its identifiers. */
export function SubjectField({ subject, scheme, valueUri, schemeUri, code, language }: Props) {
  const { t } = useTranslation("new");
  return (
    <>
      <div className={newClasses.two}>
        <TextInput {...subject} />
        <TextInput {...scheme} placeholder={t("more.subjectSchemeDetail")} />
      </div>
      <TextInput {...valueUri} placeholder="https://…" spellCheck={false} />
      <TextInput {...schemeUri} placeholder="https://…" spellCheck={false} />
      <div className={newClasses.two}>
        <TextInput {...code} spellCheck={false} />
        <LanguageInput {...language} />
      </div>
    </>
  );
}
