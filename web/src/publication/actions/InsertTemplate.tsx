import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { replyTemplatesQuery, useIsCurator } from "../../api/publications.ts";
import "../words.ts";

/**
 * Inserts one of the operator’s texts at the end of a comment, for curators; empty if there are none. Templates in the language of
 * the page come first.
 */
export function InsertTemplate({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t, i18n } = useTranslation("publication");
  const isCurator = useIsCurator();
  const { data: templates = [] } = useQuery({ ...replyTemplatesQuery, enabled: isCurator });
  if (!isCurator || templates.length === 0) return null;
  const isOfPage = ({ language }: { language: string }) => language.startsWith(i18n.language);
  const sorted = [...templates.filter(isOfPage), ...templates.filter((one) => !isOfPage(one))];
  return (
    <NativeSelect
      label={t("template.label")}
      value=""
      onChange={({ currentTarget }) => {
        const chosen = sorted[Number(currentTarget.value)];
        if (chosen !== undefined) onChange(text.trim() === "" ? chosen.text : `${text.trimEnd()}\n\n${chosen.text}`);
      }}
      data={[
        { value: "", label: t("template.choose") },
        ...sorted.map(({ language, title }, index) => ({ value: String(index), label: `${title} (${language})` })),
      ]}
    />
  );
}
