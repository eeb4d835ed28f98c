import { Select } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useForm } from "../form.ts";
import { useField } from "../useField.ts";
import { LANGUAGE_CODES } from "./languages.ts";

/** The data's language, by its name in the page's; whoever knows a code that is not offered writes it. */
export function LanguageField() {
  const { t, i18n } = useTranslation("new");
  const { draft, setWhat } = useForm();
  const { language } = draft.what;
  const field = useField();
  const [typed, setTyped] = useState("");
  const known = useMemo(() => namesOf(i18n.language), [i18n.language]);
  const others = [language, typed.trim()].filter((text) => /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(text));
  const missing = [...new Set(others)].filter((text) => !known.some(({ value }) => value === text));
  return (
    <Select
      {...field("/metadata/language")}
      label={t("what.language")}
      description={t("what.languageDetail")}
      data={[...known, ...missing.map((code) => ({ value: code, label: code }))]}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("what.languageClear") }}
      limit={60}
      nothingFoundMessage={t("what.languageNone")}
      value={language === "" ? null : language}
      onSearchChange={setTyped}
      onChange={(code) => setWhat({ language: code ?? "" })}
      maw="24rem"
    />
  );
}

function namesOf(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const order = new Intl.Collator(language);
  const all = LANGUAGE_CODES.map((value) => ({ value, label: names.of(value) ?? value }));
  return all.sort((one, other) => order.compare(one.label, other.label));
}
