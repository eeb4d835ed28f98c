import { Button, Stack, Table, Text, Textarea } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, DialogButtons } from "../../../ui/Dialog.tsx";
import { Scrollable } from "../../../ui/Section.tsx";
import classes from "../../list/List.module.css";

/** The entries in a pasted text, and the parts that were not recognised. */
export interface Pasted<E> {
  entries: E[];
  left: string[];
}

/** What a dialog for the entries of a list gets from the list. */
export interface PasteProps<E> {
  isOpen: boolean;
  onClose: () => void;
  onTake: (entries: E[]) => void;
}

interface Props<E> extends PasteProps<E> {
  list: "authors" | "relatedIdentifiers" | "fundingReferences";
  placeholder: string;
  read: (text: string) => Pasted<E>;
  /** Of the table of recognised entries: for each column its heading, and its content for an entry. */
  columns: readonly (readonly [heading: string, cellOf: (entry: E) => ReactNode])[];
  /** Another way to fill in the text. */
  besides?: (setText: (text: string) => void) => ReactNode;
}

/** Imports entries from a pasted text, after a preview of what was recognised and what was not. */
export function PasteDialog<E extends { id: string }>(props: Props<E>) {
  const { isOpen, list, placeholder, read, columns, besides, onClose, onTake } = props;
  const { t } = useTranslation("new");
  const [text, setText] = useState("");
  const latest = useDeferredValue(text);
  const { entries, left } = useMemo(() => read(latest), [read, latest]);
  const words = list === "authors" ? "people" : "entries";
  const take = () => {
    onTake(entries);
    setText("");
  };
  return (
    <Dialog isOpen={isOpen} title={t(`paste.${list}.title`)} size="xl" isGrowing onClose={onClose}>
      <Stack>
        <Textarea
          label={t(`paste.${list}.label`)}
          description={t(`paste.${list}.detail`)}
          placeholder={placeholder}
          rows={6}
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {besides?.(setText)}
        <Text role="status" c="dimmed">
          {latest.trim() === "" ? "" : t(`paste.${words}.understood`, { count: entries.length })}
        </Text>
        {left.length > 0 && <Left texts={left} />}
        {entries.length > 0 && (
          <Scrollable label={t(`paste.${words}.table`)} className={classes.understood}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {columns.map(([heading]) => (
                    <Table.Th key={heading}>{heading}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map((entry) => (
                  <Table.Tr key={entry.id}>
                    {columns.map(([heading, cellOf]) => (
                      <Table.Td key={heading}>{cellOf(entry)}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Scrollable>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            {t("cancel", { ns: "ui" })}
          </Button>
          {entries.length > 0 && <Button onClick={take}>{t(`paste.${words}.take`, { count: entries.length })}</Button>}
        </DialogButtons>
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
