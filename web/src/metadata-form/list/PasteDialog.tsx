import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/Dialog.tsx";
import classes from "./List.module.css";

/** The entries in a pasted text, and the parts that were not recognised. */
export interface Pasted<E> {
  entries: E[];
  left: string[];
}

interface Props<E> {
  isOpen: boolean;
  title: string;
  label: string;
  detail: string;
  placeholder: string;
  /** A number of entries, in words. */
  words: { understood: (count: number) => string; take: (count: number) => string };
  read: (text: string) => Pasted<E>;
  /** The name of the region that shows the recognised entries. */
  shownName: string;
  show: (entries: E[]) => ReactNode;
  /** Another way to fill in the text. */
  besides?: (setText: (text: string) => void) => ReactNode;
  onClose: () => void;
  onTake: (entries: E[]) => void;
}

/** Imports entries from a pasted text, after a preview of what was recognised and what was not. */
export function PasteDialog<E>(props: Props<E>) {
  const { isOpen, title, label, detail, placeholder, words, read, shownName, show, besides, onClose, onTake } = props;
  const { t } = useTranslation("ui");
  const [text, setText] = useState("");
  const latest = useDeferredValue(text);
  const { entries, left } = useMemo(() => read(latest), [read, latest]);
  const take = () => {
    onTake(entries);
    setText("");
  };
  return (
    <Dialog isOpen={isOpen} title={title} size="xl" isGrowing onClose={onClose}>
      <Stack>
        <Textarea
          label={label}
          description={detail}
          placeholder={placeholder}
          rows={6}
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {besides?.(setText)}
        <Text role="status" c="dimmed">
          {latest.trim() === "" ? "" : words.understood(entries.length)}
        </Text>
        {left.length > 0 && <Left texts={left} />}
        {entries.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
          <section className={classes.understood} tabIndex={0} aria-label={shownName}>
            {show(entries)}
          </section>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          {entries.length > 0 && <Button onClick={take}>{words.take(entries.length)}</Button>}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The maximum number of unrecognised texts to show. */
const SHOWN = 5;

/** The texts that are not imported. */
function Left({ texts }: { texts: string[] }) {
  const { t } = useTranslation("new");
  return (
    <div role="status" className={classes.left}>
      {t("paste.left", { count: texts.length })}
      <ul>
        {[...new Set(texts)].slice(0, SHOWN).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {new Set(texts).size > SHOWN && <li>…</li>}
      </ul>
    </div>
  );
}
