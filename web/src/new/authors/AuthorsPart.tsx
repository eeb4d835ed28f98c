import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTableImport from "@tabler/icons-react/dist/esm/icons/IconTableImport.mjs";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { newPerson, type Person } from "../draft.ts";
import { useForm } from "../form.ts";
import { fieldId } from "../parts.ts";
import { nameOf } from "../request.ts";
import { AuthorCard } from "./AuthorCard.tsx";
import classes from "./Authors.module.css";
import { isUnnamed, moveItem } from "./authors.ts";

/** Fetched when somebody wants it, with what reads tables. */
const ImportDialog = lazyLoaded(() => import("./ImportDialog.tsx"));

/** Who made the dataset, in the order in which they are cited. */
export default function AuthorsPart() {
  const { t } = useTranslation("new");
  const { draft, setAuthors, openAuthors, setOpen, errorShownAt } = useForm();
  const { authors } = draft;
  const [said, setSaid] = useState("");
  const [isImporting, setImporting] = useState<boolean>();
  const focusAfter = useFocusAfter();
  const toDo = useToDo();
  const formError = errorShownAt("/metadata/authors");

  const moveTo = useSteady((from: number, to: number, by: "up" | "down") => {
    const author = authors[from];
    if (author === undefined || to < 0 || to >= authors.length) return;
    setAuthors((authors) => moveItem(authors, from, to));
    focusAfter(`${by}-${author.id}`);
    setSaid(t("authors.moved", { name: nameOf(author) || t("authors.unnamed"), place: to + 1, count: authors.length }));
  });
  const remove = useSteady((author: Person) => {
    setAuthors((authors) => authors.filter(({ id }) => id !== author.id));
    setSaid(t("authors.removed", { name: nameOf(author) || t("authors.unnamed") }));
    focusAfter("add-author");
  });
  const add = () => {
    const added = newPerson();
    setAuthors((authors) => [...authors, added]);
    setOpen(added.id, true);
    focusAfter(fieldId(`/metadata/authors/${authors.length}`));
  };
  const take = (people: Person[]) => {
    setAuthors((authors) => [...authors.filter((author) => !isUnnamed(author)), ...people]);
    setSaid(t("authors.imported", { count: people.length }));
    setImporting(false);
  };
  return (
    <Stack gap="lg">
      {formError !== undefined && (
        <p className={classes.formError} role="alert">
          {formError}
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
            isOpen={openAuthors.has(author.id)}
            toDo={toDo.get(index) ?? 0}
            setOpen={setOpen}
            onMove={moveTo}
            onRemove={remove}
          />
        ))}
      </ol>
      <Group>
        <Button id="add-author" variant="light" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {t("authors.add")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTableImport size={18} aria-hidden />}
          onClick={() => setImporting(true)}
        >
          {t("authors.import")}
        </Button>
      </Group>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {isImporting !== undefined && (
        <ImportDialog isOpen={isImporting} onClose={() => setImporting(false)} onImport={take} />
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

/** How much is to be done at each author, by their places: what is wrong at once, what is missing once it is said. */
function useToDo(): ReadonlyMap<number, number> {
  const { formErrors, isRevealed } = useForm();
  const said = new Map<number, number>();
  const all = formErrors.flatMap((formError) => {
    const place = /^\/metadata\/authors\/(\d+)/.exec(formError.pointer)?.[1];
    return place === undefined ? [] : [{ place: Number(place), isSaid: formError.kind === "wrong" || isRevealed }];
  });
  const shown = new Set(all.flatMap(({ place, isSaid }) => (isSaid ? [place] : [])));
  for (const { place } of all) if (shown.has(place)) said.set(place, (said.get(place) ?? 0) + 1);
  return said;
}

/** The same function at each drawing, that does what the last one would: cards that get it are not drawn anew. */
function useSteady<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
