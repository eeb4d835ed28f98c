import { Button, TextInput, VisuallyHidden } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useService } from "../../api/service.ts";
import type { VocabularyEntry, VocabularyKind } from "../../api/vocabularies.ts";
import { visible } from "../../ui/text/format.ts";
import type { TextField } from "../useField.ts";
import { keyOf, optionId, Suggestions } from "./Suggestions.tsx";
import { type Identifiers, useLink } from "./useLink.ts";
import { type Found, useVocabularySearch } from "./useVocabularySearch.ts";
import classes from "./Vocabulary.module.css";

interface Props<I extends Identifiers> {
  kind: VocabularyKind;
  field: TextField;
  /** The present values of the members that an entry fills in besides the name. */
  identifiers: I;
  /** The member that must be filled in for a name to be identified. */
  decisive: keyof I & string;
  identifiersOf: (entry: VocabularyEntry) => I;
  /** Changes the name, and the identifiers if they are given, at once. */
  fill: (name: string, identifiers?: I) => void;
}

/** A name that can be chosen from a vocabulary. A plain text field if the operator has imported none of the kind. */
export function VocabularyField<I extends Identifiers>(props: Props<I>) {
  const isImported = useService()?.vocabularies.includes(props.kind) ?? false;
  return isImported ? <Combobox {...props} /> : <TextInput {...props.field} />;
}

/**
 * WAI-ARIA editable combobox with list autocomplete and manual selection: text that matches no entry is kept. Mantine’s
 * combobox is not used because it would add a positioning library to the page.
 */
function Combobox<I extends Identifiers>({ kind, field, identifiers, decisive, identifiersOf, fill }: Props<I>) {
  const { t } = useTranslation("new");
  const listbox = useId();
  const place = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Its key and not its position: new results must not change which entry is active.
  const [activeKey, setActiveKey] = useState<string>();
  const [chosen, setChosen] = useState("");
  const link = useLink({ name: field.value, identifiers, decisive, fill });
  const found = useVocabularySearch(kind, isOpen ? field.value : "");
  const entries = found?.entries ?? [];
  const isAbove = useIsAbove(place, found !== undefined);
  const active = entries.findIndex((entry) => keyOf(entry) === activeKey);
  const open = (next: boolean) => {
    setOpen(next);
    setActiveKey(undefined);
  };
  const choose = (entry: VocabularyEntry) => {
    link.choose(entry.name, identifiersOf(entry));
    setChosen(visible(entry.name));
    open(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of an input method belong to it.
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const entry = entries[active];
    const next = nextActive(key, active, entries.length);
    if (key === "Enter") {
      event.preventDefault();
      if (entry === undefined) open(false);
      else choose(entry);
    } else if (key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      open(false);
    } else if (next !== undefined && !event.altKey && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      setActiveKey(entries[next] && keyOf(entries[next]));
    } else if (key === "ArrowDown" && !isOpen) {
      event.preventDefault();
      open(true);
    } else if (key === "ArrowUp" && event.altKey) {
      event.preventDefault();
      open(false);
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      setActiveKey(undefined);
    }
  };
  return (
    <div className={classes.field} ref={place}>
      <TextInput
        {...field}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls={entries.length > 0 ? listbox : undefined}
        aria-activedescendant={entries[active] && optionId(listbox, active)}
        onChange={({ currentTarget }) => {
          setChosen("");
          open(true);
          link.rename(currentTarget.value);
        }}
        onFocus={link.begin}
        onBlur={() => {
          open(false);
          field.onBlur();
        }}
        onKeyDown={onKeyDown}
      />
      {link.removedFrom !== undefined && (
        <div className={classes.removed}>
          {t("vocabulary.removed", { name: visible(link.removedFrom) })}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              link.restore();
              // The button disappears.
              input.current?.focus();
            }}
          >
            {t("vocabulary.restore")}
          </Button>
        </div>
      )}
      {found !== undefined && !isAbove && <div className={classes.space} />}
      {found !== undefined && (
        <div className={classes.panel} data-above={isAbove || undefined}>
          <Suggestions id={listbox} label={field.label} found={found} active={active} onChoose={choose} />
        </div>
      )}
      <VisuallyHidden role="status">
        <Said found={found} chosen={chosen} removedFrom={link.removedFrom} />
      </VisuallyHidden>
    </div>
  );
}

/** Height of a list of suggestions below which it is rather shown above the field, if there is more space. */
const LOW = 240;

/** The space at the top of the window that stays free when the page is scrolled. */
const TOP = 96;

/**
 * Whether a panel opens above a place of the page, because there is little space below it. Decided when it opens. A panel
 * above would cover the errors of other fields, so the page is scrolled first if that gives enough space.
 */
function useIsAbove(place: RefObject<HTMLElement | null>, isOpen: boolean): boolean {
  const [isAbove, setAbove] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen || place.current === null) return;
    // Without the part of the window that a phone’s keyboard covers.
    const height = window.visualViewport?.height ?? window.innerHeight;
    const { top, bottom } = place.current.getBoundingClientRect();
    // Browsers scroll by whole pixels.
    const missing = Math.ceil(LOW - (height - bottom));
    if (missing > 0) window.scrollBy({ top: Math.min(missing, Math.max(0, top - TOP)), behavior: "instant" });
    const now = place.current.getBoundingClientRect();
    const below = height - now.bottom;
    setAbove(below < LOW && now.top > below);
  }, [place, isOpen]);
  return isAbove;
}

/** What screen readers announce. */
function Said(props: { found: Found | undefined; chosen: string; removedFrom: string | undefined }) {
  const { t } = useTranslation("new");
  const { found, chosen, removedFrom } = props;
  const removed = removedFrom === undefined ? "" : t("vocabulary.removed", { name: visible(removedFrom) });
  if (found === undefined) return chosen === "" ? removed : t("vocabulary.chosen", { name: chosen });
  if (found.hasFailed) return t("vocabulary.failed");
  return found.entries.length === 0 ? t("vocabulary.none") : t("vocabulary.count", { count: found.entries.length });
}

/** The position of no option. */
const NONE = -1;

/**
 * The active option after a key, as in the pattern “editable combobox with list autocomplete” of WAI-ARIA.
 *
 * @returns undefined if the key belongs to the text field
 */
function nextActive(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return active === count - 1 ? 0 : active + 1;
    case "ArrowUp":
      return active <= 0 ? count - 1 : active - 1;
    case "Home":
      return active === NONE ? undefined : 0;
    case "End":
      return active === NONE ? undefined : count - 1;
    default:
      return undefined;
  }
}
