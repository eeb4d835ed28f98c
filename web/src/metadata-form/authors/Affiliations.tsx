import { Button, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { affiliationPointer, affiliationsOf, withAffiliations } from "../entries/affiliations.ts";
import type { Affiliation, Person } from "../entries/entries.ts";
import { fieldId } from "../entries/pointers.ts";
import formClasses from "../Form.module.css";
import { EntryTools, onArrowKeys } from "../list/EntryTools.tsx";
import classes from "../list/List.module.css";
import { moveItem, useFocusAfter } from "../list/useEntries.ts";
import { type TextField, useTextField } from "../useField.ts";
import { VocabularyField } from "../vocabulary/VocabularyField.tsx";

interface Props {
  author: Person;
  /** Of the author. */
  index: number;
  set: (change: Partial<Person>) => void;
}

/** The institutions of a person. The buttons that change their order appear with the second one. */
export function Affiliations({ author, index, set }: Props) {
  const { t } = useTranslation("new");
  const field = useTextField();
  const [announcement, setAnnouncement] = useState("");
  const focusAfter = useFocusAfter();
  const all = affiliationsOf(author);
  const change = (next: readonly Affiliation[]) => set(withAffiliations(next));
  const nameAt = (at: number) => all[at]?.name.trim() || t("authors.further", { number: at + 1 });
  const idAt = (at: number) => `${author.id}-affiliation-${at}`;
  const move = (from: number, to: number, by: "up" | "down") => {
    if (to < 0 || to >= all.length) return;
    change(moveItem(all, from, to));
    // The entries have no ids of their own, so the button of the new position gets the focus.
    focusAfter(`${by}-${idAt(to)}`);
    setAnnouncement(t("list.moved", { name: nameAt(from), place: to + 1, count: all.length }));
  };
  const remove = (at: number) => {
    change(all.filter((_, position) => position !== at));
    setAnnouncement(t("list.removed", { name: nameAt(at) }));
    focusAfter(fieldId(affiliationPointer(index, Math.min(at, all.length - 2), "name")));
  };
  const setAt = (at: number, known: Partial<Affiliation>) =>
    change(all.map((one, position) => (position === at ? { ...one, ...known } : one)));
  const add = () => {
    change([...all, { name: "", rorid: "" }]);
    focusAfter(fieldId(affiliationPointer(index, all.length, "name")));
  };
  const input = (at: number, member: keyof Affiliation) =>
    field(affiliationPointer(index, at, member), labelAt(at, member), all[at]?.[member] ?? "", (text) =>
      setAt(at, { [member]: text }),
    );
  function labelAt(at: number, member: keyof Affiliation): string {
    if (at === 0) return t(member === "name" ? "authors.affiliation" : "authors.rorid");
    return t(member === "name" ? "authors.further" : "authors.roridFurther", { number: at + 1 });
  }
  return (
    <Stack gap="xs">
      {all.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the entries have no ids of their own.
        <Fragment key={at}>
          <AffiliationField
            name={input(at, "name")}
            rorid={input(at, "rorid")}
            fill={(name, identifiers) => setAt(at, { name, ...identifiers })}
          />
          {all.length > 1 && (
            // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the buttons in it.
            <div className={classes.tools} onKeyDown={onArrowKeys(at, move)}>
              <EntryTools
                id={idAt(at)}
                name={nameAt(at)}
                index={at}
                isLast={at === all.length - 1}
                onMove={move}
                onRemove={remove}
              />
            </div>
          )}
        </Fragment>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.addInside}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={add}
      >
        {t("authors.addAffiliation")}
      </Button>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Stack>
  );
}

interface AffiliationProps {
  name: TextField;
  rorid: TextField;
  /** Changes the name, and the ROR ID if it is given, at once. */
  fill: (name: string, identifiers?: { rorid: string }) => void;
}

/** An institution: its name and its ROR ID. */
export function AffiliationField({ name, rorid, fill }: AffiliationProps) {
  const { t } = useTranslation("new");
  return (
    <div className={formClasses.two}>
      <VocabularyField
        kind="organisations"
        field={name}
        identifiers={{ rorid: rorid.value }}
        decisive="rorid"
        identifiersOf={({ id }) => ({ rorid: id })}
        fill={fill}
      />
      <TextInput
        {...rorid}
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={t("authors.roridDetail")}
        placeholder="https://ror.org/…"
        spellCheck={false}
      />
    </div>
  );
}
