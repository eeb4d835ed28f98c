import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { BelowField } from "../BelowField.tsx";
import { useMetadataForm } from "../context.ts";
import { type Entry, type ListName, newEntry } from "../entries/lists.ts";
import { fieldId } from "../entries/pointers.ts";
import { useSummary } from "../entries/useSummary.ts";
import { EntryCard } from "../list/EntryCard.tsx";
import classes from "../list/List.module.css";
import { useEntries, useToDo } from "../list/useEntries.ts";
import { ENTRY_FIELDS, firstMember } from "./EntryFields.tsx";
import classesOfMore from "./More.module.css";
import { PasteButton } from "./paste/PasteButton.tsx";

/** The kinds of descriptions with a button of their own. */
const DESCRIPTIONS = ["Methods", "TechnicalInfo", "TableOfContents", "Other"] as const;

/** A list of the metadata, and the buttons that add an entry. */
export function EntryList<L extends ListName>({ list }: { list: L }) {
  const { t } = useTranslation(["new", "metadata"]);
  const { draft, setList, openEntries, setOpen, errorShownAt } = useMetadataForm();
  const { nameOf, kindOf } = useSummary()(list);
  const pointer = `/metadata/${list}`;
  const toDo = useToDo(pointer);
  const entries = draft.lists[list] as Entry<L>[];
  const named = (entry: Entry<L>, index: number) => nameOf(entry).trim() || t("list.entry", { number: index + 1 });
  const { announcement, setAnnouncement, move, remove, add } = useEntries({
    entries,
    change: (next: (entries: Entry<L>[]) => Entry<L>[]) => setList(list, next),
    nameOf: named,
    addId: fieldId(pointer),
  });
  const error = errorShownAt(pointer);
  const additions: readonly { label: string; known?: object }[] =
    list === "descriptions"
      ? DESCRIPTIONS.map((descriptionType) => ({ label: t(`more.add.${descriptionType}`), known: { descriptionType } }))
      : [{ label: t(`more.add.${list as Exclude<ListName, "descriptions">}`) }];
  const first = firstMember(list);
  return (
    <Stack gap="sm">
      {error !== undefined && <p className={classes.formError}>{error}</p>}
      {entries.length > 0 && (
        <ol className={common.list} aria-label={t(`metadata:lists.${list as ListName}`)}>
          {entries.map((entry, index) => (
            <EntryCard
              key={entry.id}
              entry={entry}
              index={index}
              name={named(entry, index)}
              kind={kindOf(entry)}
              isLast={index === entries.length - 1}
              isOpen={openEntries.has(entry.id)}
              toDo={toDo.get(index) ?? 0}
              Fields={ENTRY_FIELDS[list]}
              setOpen={setOpen}
              onMove={move}
              onRemove={remove}
            />
          ))}
        </ol>
      )}
      <BelowField member={list} />
      <Group gap="xs" className={classesOfMore.additions}>
        {additions.map(({ label, known }, position) => (
          <Button
            key={label}
            {...(position === 0 && { id: fieldId(pointer) })}
            variant="light"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => add(newEntry(list, known), fieldId(`${pointer}/${entries.length}${first}`))}
          >
            {label}
          </Button>
        ))}
        {list === "relatedIdentifiers" && <PasteButton list="relatedIdentifiers" say={setAnnouncement} />}
        {list === "fundingReferences" && <PasteButton list="fundingReferences" say={setAnnouncement} />}
      </Group>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Stack>
  );
}
