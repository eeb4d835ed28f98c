import { Button, FileButton, Group, Stack, Table, Text, Textarea } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/Dialog.tsx";
import type { Person } from "../draft.ts";
import { judgeOrcid } from "../orcid.ts";
import classes from "./Authors.module.css";
import { roleOf } from "./authors.ts";
import { readPeople } from "./readPeople.ts";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onImport: (people: Person[]) => void;
}

/** Imports authors from a pasted list or a table, after a preview of what was recognised and what was not. */
export default function ImportDialog({ isOpen, onClose, onImport }: Props) {
  const { t } = useTranslation(["new", "ui"]);
  const [text, setText] = useState("");
  const latest = useDeferredValue(text);
  const { people, left } = useMemo(() => readPeople(latest), [latest]);
  const take = () => {
    onImport(people);
    setText("");
  };
  return (
    <Dialog isOpen={isOpen} title={t("authors.import")} size="xl" isGrowing onClose={onClose}>
      <Stack>
        <Textarea
          label={t("authors.paste")}
          description={t("authors.pasteDetail")}
          placeholder={"Carberry, Josiah; 0000-0002-1825-0097; Brown University"}
          rows={6}
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
          {(button) => (
            <Button {...button} variant="default" size="xs" style={{ alignSelf: "flex-start" }}>
              {t("authors.file")}
            </Button>
          )}
        </FileButton>
        <Text role="status" c="dimmed">
          {latest.trim() === "" ? "" : t("authors.understood", { count: people.length })}
        </Text>
        {left.length > 0 && <Left texts={left} />}
        {people.length > 0 && <Understood people={people} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("ui:cancel")}
          </Button>
          {people.length > 0 && <Button onClick={take}>{t("authors.take", { count: people.length })}</Button>}
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
      {t("authors.left", { count: texts.length })}
      <ul>
        {[...new Set(texts)].slice(0, SHOWN).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {new Set(texts).size > SHOWN && <li>…</li>}
      </ul>
    </div>
  );
}

/** The authors that will be imported, one per row. */
function Understood({ people }: { people: Person[] }) {
  const { t } = useTranslation("new");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.understood} tabIndex={0} aria-label={t("authors.understoodTable")}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {(["firstName", "lastName", "role", "orcid", "affiliation"] as const).map((name) => (
              <Table.Th key={name}>{t(`authors.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => {
            const role = roleOf(person.role);
            return (
              <Table.Tr key={person.id}>
                <Table.Td>{person.firstName}</Table.Td>
                <Table.Td>{person.lastName}</Table.Td>
                <Table.Td>{role === undefined ? person.role : t(`roles.${role}`)}</Table.Td>
                <Table.Td>
                  {person.orcid}{" "}
                  {judgeOrcid(person.orcid) === "wrong" && (
                    <span className={classes.formError}>{t("authors.orcidWrong")}</span>
                  )}
                </Table.Td>
                <Table.Td>{person.affiliation}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}
