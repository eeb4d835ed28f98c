import { List } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Entry, newEntry } from "../../entries/lists.ts";
import { PasteDialog, type Pasted } from "../../list/PasteDialog.tsx";
import { TermField } from "../terms/TermField.tsx";
import { readDois } from "./readDois.ts";

type Related = Entry<"relatedIdentifiers">;

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onTake: (entries: Related[]) => void;
}

/** Adds related resources by the DOIs in a pasted text. All of them get the same relation. */
export function DoiDialog({ isOpen, onClose, onTake }: Props) {
  const { t } = useTranslation(["new", "metadata"]);
  const id = useId();
  const [relationType, setRelation] = useState("IsDescribedBy");
  return (
    <PasteDialog
      isOpen={isOpen}
      title={t("paste.dois.title")}
      label={t("paste.dois.label")}
      detail={t("paste.dois.detail")}
      placeholder={"10.1234/abcd\nhttps://doi.org/10.1234/efgh"}
      words={{
        understood: (count) => t("paste.understood", { count }),
        take: (count) => t("paste.take", { count }),
      }}
      read={read}
      shownName={t("paste.understoodList")}
      show={(entries) => (
        <List p="xs">
          {entries.map((entry) => (
            <List.Item key={entry.id}>{entry.relatedIdentifier}</List.Item>
          ))}
        </List>
      )}
      besides={() => (
        <TermField
          name="relationType"
          id={id}
          label={t("metadata:fields.relationType")}
          error={undefined}
          autoComplete="off"
          value={relationType}
          onBlur={() => undefined}
          onChange={({ currentTarget }) => setRelation(currentTarget.value)}
        />
      )}
      onClose={onClose}
      onTake={(entries) => onTake(entries.map((entry) => ({ ...entry, relationType })))}
    />
  );
}

function read(text: string): Pasted<Related> {
  const { dois, left } = readDois(text);
  return { entries: dois.map((relatedIdentifier) => newEntry("relatedIdentifiers", { relatedIdentifier })), left };
}
