import { knownRole } from "@accession/rules";
import { Button, FileButton, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Person } from "../entries/entries.ts";
import { judgeOrcid } from "../entries/orcid.ts";
import classes from "../list/List.module.css";
import { PasteDialog, type Pasted } from "../list/PasteDialog.tsx";
import { readPeople } from "./readPeople.ts";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onImport: (people: Person[]) => void;
}

/** Imports authors from a pasted list or a table. */
export default function ImportDialog({ isOpen, onClose, onImport }: Props) {
  const { t } = useTranslation("new");
  return (
    <PasteDialog
      isOpen={isOpen}
      title={t("authors.import")}
      label={t("authors.paste")}
      detail={t("authors.pasteDetail")}
      placeholder="Carberry, Josiah; 0000-0002-1825-0097; Brown University"
      words={{
        understood: (count) => t("authors.understood", { count }),
        take: (count) => t("authors.take", { count }),
      }}
      read={read}
      shownName={t("authors.understoodTable")}
      show={(people) => <Understood people={people} />}
      besides={(setText) => (
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
          {(button) => (
            <Button {...button} variant="default" size="xs" style={{ alignSelf: "flex-start" }}>
              {t("authors.file")}
            </Button>
          )}
        </FileButton>
      )}
      onClose={onClose}
      onTake={onImport}
    />
  );
}

function read(text: string): Pasted<Person> {
  const { people, left } = readPeople(text);
  return { entries: people, left };
}

/** The authors that will be imported, one per row. */
function Understood({ people }: { people: Person[] }) {
  const { t } = useTranslation("new");
  return (
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
          const role = knownRole(person.role);
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
  );
}
