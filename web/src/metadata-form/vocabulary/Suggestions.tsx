import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { VocabularyEntry } from "../../api/vocabularies.ts";
import { visible } from "../../ui/text/format.ts";
import { highlight, matchingName } from "./highlight.ts";
import type { Found } from "./useVocabularySearch.ts";
import classes from "./Vocabulary.module.css";

/** Maximum number of acronyms to show. */
const ACRONYMS = 3;

interface Props {
  /** Of the list box. */
  id: string;
  label: string;
  found: Found;
  /** The position of the active option. */
  active: number;
  onChoose: (entry: VocabularyEntry) => void;
}

/** The id of an option, for `aria-activedescendant`. */
export function optionId(listbox: string, index: number): string {
  return `${listbox}-${index}`;
}

/** The result of a search below its field: the entries, or why there are none. */
export function Suggestions({ id, label, found, active, onChoose }: Props) {
  const { t } = useTranslation("new");
  const { entries, query, hasFailed } = found;
  if (entries.length === 0) {
    // The same text is announced by the field.
    return <p className={classes.note}>{t(hasFailed ? "vocabulary.failed" : "vocabulary.none")}</p>;
  }
  return (
    <div id={id} role="listbox" aria-label={t("vocabulary.label", { label })} className={classes.options}>
      {entries.map((entry, index) => (
        <Option
          key={keyOf(entry)}
          id={optionId(id, index)}
          entry={entry}
          query={query}
          isActive={index === active}
          // The address distinguishes entries that look the same.
          hasNamesake={entries.some((other) => other !== entry && looksLike(other, entry))}
          onChoose={() => onChoose(entry)}
        />
      ))}
    </div>
  );
}

/** Identifies an entry among the results of a search. */
export function keyOf({ vocabulary, id }: VocabularyEntry): string {
  return `${vocabulary} ${id}`;
}

function looksLike(one: VocabularyEntry, other: VocabularyEntry): boolean {
  return one.name === other.name && one.detail === other.detail;
}

interface OptionProps {
  id: string;
  entry: VocabularyEntry;
  query: string;
  isActive: boolean;
  hasNamesake: boolean;
  onChoose: () => void;
}

function Option({ id, entry, query, isActive, hasNamesake, onChoose }: OptionProps) {
  const { t } = useTranslation("new");
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const other = matchingName(entry, query);
  const acronyms = entry.acronyms.filter((acronym) => acronym !== other).slice(0, ACRONYMS);
  const details = [
    ...(entry.detail === null ? [] : [entry.detail]),
    ...acronyms,
    ...(hasNamesake ? [entry.id.replace(/^https?:\/\//, "")] : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field.
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      // Otherwise the text field would lose the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Highlighted text={entry.name} query={query} />
      {(details.length > 0 || other !== undefined) && (
        <span className={classes.details}>
          {visible(details.join(" · "))}
          {other !== undefined && (
            <>
              {details.length > 0 && " · "}
              {t("vocabulary.other")} <Highlighted text={other} query={query} />
            </>
          )}
        </span>
      )}
    </div>
  );
}

function Highlighted({ text, query }: { text: string; query: string }) {
  return (
    <span>
      {highlight(visible(text), query).map(({ text, isMatch }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
        isMatch ? <mark key={at}>{text}</mark> : text,
      )}
    </span>
  );
}
