import { knownRole } from "@accession/rules";
import { Button, FileButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Person } from "../entries/entries.ts";
import { judgeOrcid } from "../entries/orcid.ts";
import classes from "../list/List.module.css";
import { PasteDialog, type PasteProps } from "../more/paste/PasteDialog.tsx";
import { readPeople } from "./readPeople.ts";

/** Imports authors from a pasted list or a table. */
export default function ImportDialog(props: PasteProps<Person>) {
  const { t } = useTranslation("new");
  const roleOf = ({ role: text }: Person) => {
    const role = knownRole(text);
    return role === undefined ? text : t(`roles.${role}`, { ns: "metadata" });
  };
  const orcidOf = ({ orcid }: Person) => (
    <>
      {orcid} {judgeOrcid(orcid) === "wrong" && <span className={classes.formError}>{t("authors.orcidWrong")}</span>}
    </>
  );
  return (
    <PasteDialog
      {...props}
      list="authors"
      placeholder="Carberry, Josiah; 0000-0002-1825-0097; Brown University"
      read={readPeople}
      columns={[
        [t("authors.firstName"), ({ firstName }) => firstName],
        [t("authors.lastName"), ({ lastName }) => lastName],
        [t("authors.role"), roleOf],
        [t("authors.orcid"), orcidOf],
        [t("authors.affiliation"), ({ affiliation }) => affiliation],
      ]}
      besides={(setText) => (
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
          {(button) => (
            <Button {...button} variant="default" size="xs" style={{ alignSelf: "flex-start" }}>
              {t("authors.file")}
            </Button>
          )}
        </FileButton>
      )}
    />
  );
}
