import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../api/metadata.ts";
import { visibleLines } from "../ui/format.ts";
import { useTerm } from "../ui/useTerm.ts";
import classes from "./Dataset.module.css";
import { languageName } from "./languageName.ts";
import { Section } from "./Section.tsx";

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
            <Text className={classes.description} lang={language}>
              {visibleLines(description)}
            </Text>
          </Section>
        );
      })}
      {acknowledgements !== undefined && (
        <Section title={t("acknowledgements")}>
          <Text className={classes.description}>{visibleLines(acknowledgements)}</Text>
        </Section>
      )}
    </>
  );
  /** The form names the abstract with an explanation. */
  function titleOf(type: string): string {
    return type === "Abstract" ? t("abstract") : term("descriptionTypes", type);
  }
}
