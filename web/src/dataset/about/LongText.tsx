import { Button, Text } from "@mantine/core";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { visibleLines } from "../../ui/format.ts";
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
