import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTableImport from "@tabler/icons-react/dist/esm/icons/IconTableImport.mjs";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { newPerson, type Person } from "../draft.ts";
import { useForm } from "../form.ts";
import { fieldId } from "../parts.ts";
import { nameOf } from "../request.ts";
import { AuthorCard } from "./AuthorCard.tsx";
import { isUnnamed, move } from "./authors.ts";
import classes from "./Who.module.css";

/** Fetched when somebody wants it, with what reads tables. */
const ImportDialog = lazy(() => import("./ImportDialog.tsx"));

/** Who made the dataset, in the order in which they are cited. */
export default function WhoPart() {
  const { t } = useTranslation("new");
  const { draft, setAuthors, setOpen, faultShownAt } = useForm();
  const { authors } = draft;
  const [said, setSaid] = useState("");
  const [isImporting, setImporting] = useState(false);
  const focusAfter = useFocusAfter();
  const fault = faultShownAt("/metadata/authors");

  const moveTo = (from: number, to: number, by: string) => {
    const author = authors[from];
    if (author === undefined || to < 0 || to >= authors.length) return;
    setAuthors((authors) => move(authors, from, to));
    focusAfter(`${by}-${author.id}`);
    setSaid(t("who.moved", { name: nameOf(author) || t("who.unnamed"), place: to + 1, count: authors.length }));
  };
  const add = () => {
    const added = newPerson();
    setAuthors((authors) => [...authors, added]);
    setOpen(added.id, true);
    focusAfter(fieldId(`/metadata/authors/${authors.length}`));
  };
  const remove = (author: Person) => {
    setAuthors((authors) => authors.filter(({ id }) => id !== author.id));
    setSaid(t("who.removed", { name: nameOf(author) || t("who.unnamed") }));
    focusAfter("add-author");
  };
  const take = (people: Person[]) => {
    setAuthors((authors) => [...authors.filter((author) => !isUnnamed(author)), ...people]);
    setSaid(t("who.imported", { count: people.length }));
    setImporting(false);
  };
  return (
    <Stack gap="lg">
      {fault !== undefined && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
      <ol className={classes.authors} id={fieldId("/metadata/authors")} tabIndex={-1}>
        {authors.map((author, index) => (
          <AuthorCard
            key={author.id}
            author={author}
            before={authors[index - 1]}
            index={index}
            isLast={index === authors.length - 1}
            onMove={(to, by) => moveTo(index, to, by)}
            onRemove={() => remove(author)}
          />
        ))}
      </ol>
      <Group>
        <Button id="add-author" variant="light" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {t("who.add")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTableImport size={18} aria-hidden />}
          onClick={() => setImporting(true)}
        >
          {t("who.import")}
        </Button>
      </Group>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {isImporting && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImporting(false)} onImport={take} />
        </Suspense>
      )}
    </Stack>
  );
}

/** Moves the focus to an element once what was changed is shown: a card that is moved loses it. */
function useFocusAfter(): (id: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    document.getElementById(wanted.current)?.focus();
    wanted.current = undefined;
  });
  return (id) => {
    wanted.current = id;
  };
}
