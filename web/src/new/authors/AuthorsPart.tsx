import { Button, Group, Stack, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTableImport from "@tabler/icons-react/dist/esm/icons/IconTableImport.mjs";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { newPerson, type Person } from "../draft.ts";
import { useForm } from "../form.ts";
import { fieldId } from "../parts.ts";
import { labelOf } from "../request.ts";
import { AuthorCard } from "./AuthorCard.tsx";
import classes from "./Authors.module.css";
import { isUnnamed, moveItem } from "./authors.ts";

/** Loaded when the user opens it, with the parser for tables. */
const ImportDialog = lazyLoaded(() => import("./ImportDialog.tsx"));

/** The section for the authors and contributors, in citation order. */
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
    setSaid(
      t("authors.moved", { name: labelOf(author) || t("authors.unnamed"), place: to + 1, count: authors.length }),
    );
  });
  const remove = useSteady((author: Person) => {
    setAuthors((authors) => authors.filter(({ id }) => id !== author.id));
    setSaid(t("authors.removed", { name: labelOf(author) || t("authors.unnamed") }));
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

/** Moves the focus to an element after the next rendering: a card that is moved loses it. */
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

/** The number of errors per author, by index: wrong entries immediately, missing ones after an attempt to submit. */
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

/** A function of stable identity that calls the latest version of another one: cards are not rendered again. */
function useSteady<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
