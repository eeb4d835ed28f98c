import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, speak } from "../words/words.ts";
import classes from "./Header.module.css";

/** Changes the language of the page; each is named in itself. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation("shell");
  return (
    <NativeSelect
      className={classes.language}
      size="sm"
      aria-label={t("language")}
      value={i18n.language}
      onChange={({ currentTarget }) => void speak(currentTarget.value as Language)}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}
