import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../../api/metadata.ts";
import { Section } from "../../ui/Section.tsx";
import { useTerm } from "../../ui/useTerm.ts";
import { LongText } from "./LongText.tsx";
import { languageName } from "./languageName.ts";

/** Further descriptions, such as methods, and acknowledgements. */
export function FurtherTexts({ further }: { further: FurtherMetadata }) {
  const { t, i18n } = useTranslation("metadata");
  const term = useTerm();
  const { descriptions = [], acknowledgements } = further;
  return (
    <>
      {descriptions.map(({ description, descriptionType, language }) => {
        const title = titleOf(descriptionType);
        return (
          <Section
            key={descriptionType + description}
            title={language === undefined ? title : `${title} (${languageName(language, i18n.language)})`}
          >
            <LongText title={title} text={description} lang={language} />
          </Section>
        );
      })}
      {acknowledgements !== undefined && (
        <Section title={t("acknowledgements")}>
          <LongText title={t("acknowledgements")} text={acknowledgements} />
        </Section>
      )}
    </>
  );
  /** The form names the abstract with an explanation. */
  function titleOf(type: string): string {
    return type === "Abstract" ? t("abstract") : term("descriptionType", type);
  }
}
