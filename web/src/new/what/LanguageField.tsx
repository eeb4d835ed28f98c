import { TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useForm } from "../form.ts";
import { languagesIn } from "../languages.ts";
import { useField } from "../useField.ts";

/** The data's language, by its name in the page's; whoever knows a code that is not offered writes it. */
export function LanguageField() {
  const { t, i18n } = useTranslation("new");
  const { draft, setWhat } = useForm();
  const known = useMemo(() => languagesIn(i18n.language), [i18n.language]);
  return (
    <>
      <TextInput
        {...useField()("/metadata/language")}
        label={t("what.language")}
        description={t("what.languageDetail")}
        list="languages"
        autoComplete="off"
        spellCheck={false}
        value={draft.what.language}
        onChange={({ currentTarget }) => setWhat({ language: currentTarget.value })}
        styles={{ wrapper: { maxWidth: "20rem" } }}
      />
      <datalist id="languages">
        {known.map(({ code, name }) => (
          <option key={code} value={name} />
        ))}
      </datalist>
    </>
  );
}
