import { Button, Text } from "@mantine/core";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LONG_TEXTS } from "../../api/long-texts.ts";
import type { PackageMetadata } from "../../api/metadata.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import { Section } from "../../ui/Section.tsx";
import { visibleLines } from "../../ui/text/format.ts";
import { useTerm } from "../../ui/text/useTerm.ts";
import classes from "../Dataset.module.css";

/**
 * A text beyond one of these is longer than the lines that the style sheet shows of a collapsed text, at every width. So
 * nothing must be measured, and the page does not move.
 */
const SHORT = { characters: 1_200, lines: 14 };

interface Props {
  /** Of the text, for the name of the button. */
  title: string;
  text: string;
  lang?: string | undefined;
}

/** A text of the submitter. Shows only the beginning of a long one at first, so that it does not hide the rest of the page. */
export function LongText({ title, text, lang }: Props) {
  const { t } = useTranslation("dataset");
  const id = useId();
  const place = useRef<HTMLParagraphElement>(null);
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHORT.characters || text.split("\n").length > SHORT.lines;
  const words = isWhole ? t("text.less") : t("more", { ns: "ui" });
  const toggle = () => {
    setWhole(!isWhole);
    // Otherwise the reader would be somewhere below the text.
    if (isWhole) place.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      <Text
        ref={place}
        id={id}
        className={classes.description}
        data-collapsed={(isLong && !isWhole) || undefined}
        lang={lang}
      >
        {visibleLines(text)}
      </Text>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-sm"
          ml="-0.5rem"
          style={{ alignSelf: "flex-start" }}
          aria-expanded={isWhole}
          aria-controls={id}
          aria-label={`${words}: ${title}`}
          onClick={toggle}
        >
          {words}
        </Button>
      )}
    </>
  );
}

/** Further descriptions, such as methods, and acknowledgements. */
export function FurtherTexts({ further }: { further: PackageMetadata }) {
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
      <CommentsAt member="descriptions" isAbsent={descriptions.length === 0} />
      {LONG_TEXTS.map((name) => {
        const text = further[name];
        if (text === undefined) return <CommentsAt key={name} member={name} isAbsent />;
        return (
          <Section key={name} title={t(name)}>
            <LongText title={t(name)} text={text} />
            <CommentsAt member={name} />
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

/** The name of a language in another language; its code if it has no name. */
export function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
