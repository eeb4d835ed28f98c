import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import { type Entry, type ListName, newEntry } from "../entries/lists.ts";
import { fieldId } from "../entries/pointers.ts";
import { FromFile } from "../import/FromFile.tsx";
import { EntryCard } from "../list/EntryCard.tsx";
import classes from "../list/List.module.css";
import { useEntries, useToDo } from "../list/useEntries.ts";
import type { EntryProps } from "../list/useEntry.ts";
import classesOfMore from "./More.module.css";

interface Props<L extends ListName> {
  list: L;
  /** The display name of an entry; empty if it has none. */
  nameOf: (entry: Entry<L>) => string;
  /** Further information in the same line. */
  kindOf?: (entry: Entry<L>) => string;
  Fields: ComponentType<EntryProps<L>>;
  /** The buttons that add an entry, each with the known fields of the entry. */
  additions: readonly { label: string; known?: Partial<Entry<L>> }[];
  /** The member whose field is the first one of an entry; empty for the entry itself. */
  first: string;
  /** Further buttons. @param say announces something to screen readers */
  besides?: (say: (text: string) => void) => ReactNode;
}

/** A list of the metadata, and the buttons that add an entry. */
export function EntryList<L extends ListName>(props: Props<L>) {
  const { list, nameOf, kindOf, Fields, additions, first, besides } = props;
  const { t } = useTranslation(["new", "metadata"]);
  const { draft, setList, openEntries, setOpen, errorShownAt } = useMetadataForm();
  const pointer = `/metadata/${list}`;
  const toDo = useToDo(pointer);
  const entries = draft.lists[list] as Entry<L>[];
  const named = (entry: Entry<L>, index: number) => nameOf(entry).trim() || t("list.entry", { number: index + 1 });
  const { said, setSaid, move, remove, add } = useEntries({
    entries,
    change: (next: (entries: Entry<L>[]) => Entry<L>[]) => setList(list, next),
    nameOf: named,
    addId: fieldId(pointer),
  });
  const error = errorShownAt(pointer);
  return (
    <Stack gap="sm">
      {error !== undefined && <p className={classes.formError}>{error}</p>}
      {entries.length > 0 && (
        <ol className={classes.entries} aria-label={t(`metadata:lists.${list as ListName}`)}>
          {entries.map((entry, index) => (
            <EntryCard
              key={entry.id}
              entry={entry}
              index={index}
              name={named(entry, index)}
              kind={kindOf?.(entry) ?? ""}
              isLast={index === entries.length - 1}
              isOpen={openEntries.has(entry.id)}
              toDo={toDo.get(index) ?? 0}
              Fields={Fields}
              setOpen={setOpen}
              onMove={move}
              onRemove={remove}
            />
          ))}
        </ol>
      )}
      <FromFile member={list} />
      <Group gap="xs" className={classesOfMore.additions}>
        {additions.map(({ label, known }, position) => (
          <Button
            key={label}
            {...(position === 0 && { id: fieldId(pointer) })}
            variant="light"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() =>
              add(
                newEntry(list, known),
                fieldId([pointer, entries.length, first].filter((part) => part !== "").join("/")),
              )
            }
          >
            {label}
          </Button>
        ))}
        {besides?.(setSaid)}
      </Group>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Stack>
  );
}
