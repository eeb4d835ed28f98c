import { knownRole } from "@accession/rules";
import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTableImport from "@tabler/icons-react/dist/esm/icons/IconTableImport.mjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { BelowField } from "../BelowField.tsx";
import { useMetadataForm } from "../context.ts";
import { newPerson, type Person } from "../entries/entries.ts";
import { isUnnamed, labelOf } from "../entries/metadata-of.ts";
import { fieldId } from "../entries/pointers.ts";
import { EntryCard } from "../list/EntryCard.tsx";
import classes from "../list/List.module.css";
import { useEntries, useToDo } from "../list/useEntries.ts";
import { AuthorFields } from "./AuthorFields.tsx";

/** Loaded when the user opens it, with the parser for tables. */
const ImportDialog = lazyLoaded(() => import("./ImportDialog.tsx"));

/** The section for the authors and contributors, in citation order. */
export default function AuthorsPart() {
  const { t } = useTranslation("new");
  const { draft, setAuthors, openEntries, setOpen, errorShownAt } = useMetadataForm();
  const { authors } = draft;
  const [isImporting, setImporting] = useState<boolean>();
  const toDo = useToDo("/metadata/authors");
  const formError = errorShownAt("/metadata/authors");
  const nameOf = (author: Person) => labelOf(author) || t("authors.unnamed");
  const list = useEntries({ entries: authors, change: setAuthors, nameOf, addId: "add-author" });
  const take = (people: Person[]) => {
    setAuthors((authors) => [...authors.filter((author) => !isUnnamed(author)), ...people]);
    list.setAnnouncement(t("authors.imported", { count: people.length }));
    setImporting(false);
  };
  const kindOf = ({ role: text }: Person) => {
    const role = knownRole(text);
    return role === undefined ? text : t(`roles.${role}`, { ns: "metadata" });
  };
  return (
    <Stack gap="lg">
      {formError !== undefined && (
        <p className={classes.formError} role="alert">
          {formError}
        </p>
      )}
      <ol className={common.list} id={fieldId("/metadata/authors")} tabIndex={-1}>
        {authors.map((author, index) => (
          <EntryCard
            key={author.id}
            entry={author}
            index={index}
            name={nameOf(author)}
            kind={kindOf(author)}
            isLast={index === authors.length - 1}
            isOpen={openEntries.has(author.id)}
            toDo={toDo.get(index) ?? 0}
            Fields={AuthorFields}
            setOpen={setOpen}
            onMove={list.move}
            onRemove={list.remove}
          />
        ))}
      </ol>
      <BelowField member="authors" />
      <Group>
        <Button
          id="add-author"
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => list.add(newPerson(), fieldId(`/metadata/authors/${authors.length}`))}
        >
          {t("authors.add")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTableImport size={18} aria-hidden />}
          onClick={() => setImporting(true)}
        >
          {t("paste.authors.title")}
        </Button>
      </Group>
      <VisuallyHidden role="status">{list.announcement}</VisuallyHidden>
      {isImporting !== undefined && (
        <ImportDialog isOpen={isImporting} onClose={() => setImporting(false)} onTake={take} />
      )}
    </Stack>
  );
}
