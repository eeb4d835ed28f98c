import { useTranslation } from "react-i18next";
import { LONG_TEXTS } from "../../api/long-texts.ts";
import type { FurtherMetadata } from "../../api/metadata.ts";
import { Section } from "../../ui/Section.tsx";
import { useTerm } from "../../ui/useTerm.ts";
import { LongText } from "./LongText.tsx";
import { languageName } from "./languageName.ts";

/** Further descriptions, such as methods, and acknowledgements. */
export function FurtherTexts({ further }: { further: FurtherMetadata }) {
  const { t, i18n } = useTranslation("metadata");
  const term = useTerm();
  const { descriptions = [] } = further;
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
      {LONG_TEXTS.map((name) => {
        const text = further[name];
        if (text === undefined) return null;
        return (
          <Section key={name} title={t(name)}>
            <LongText title={t(name)} text={text} />
          </Section>
        );
      })}
    </>
  );
  /** The form names the abstract with an explanation. */
  function titleOf(type: string): string {
    return type === "Abstract" ? t("abstract") : term("descriptionType", type);
  }
}
