import { funderIdentifierTypes } from "@accession/rules";
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { VocabularyEntry } from "../../../api/vocabularies.ts";
import formClasses from "../../Form.module.css";
import type { TextField } from "../../list/useEntry.ts";
import { VocabularyField } from "../../vocabulary/VocabularyField.tsx";
import { TermField } from "../terms/TermField.tsx";
import { BELOW } from "./below.ts";

interface Props {
  name: TextField;
  identifier: TextField;
  type: TextField;
  /** Changes the name, and the identifier with its type if they are given, at once. */
  fill: (name: string, identifiers?: FunderIdentifiers) => void;
}

// A type and not an interface, so that it is assignable to a record.
type FunderIdentifiers = { funderIdentifier: string; funderIdentifierType: string };

/** The identifier of an entry. A type that the form does not offer is left to the service to detect. */
function identifiersOf({ id, scheme }: VocabularyEntry): FunderIdentifiers {
  return { funderIdentifier: id, funderIdentifierType: funderIdentifierTypes.find((type) => type === scheme) ?? "" };
}

/** A funder: its name and its identifier. */
export function FunderField({ name, identifier, type, fill }: Props) {
  const { t } = useTranslation(["new", "metadata"]);
  return (
    <>
      <VocabularyField
        kind="funders"
        field={name}
        identifiers={{ funderIdentifier: identifier.value, funderIdentifierType: type.value }}
        decisive="funderIdentifier"
        identifiersOf={identifiersOf}
        fill={fill}
      />
      <div className={formClasses.two}>
        <TextInput
          {...identifier}
          {...BELOW}
          description={t("more.funderIdentifierDetail")}
          placeholder="https://ror.org/…"
          spellCheck={false}
        />
        <TermField
          {...type}
          terms={[
            { value: "", label: t("more.detect") },
            ...funderIdentifierTypes.map((value) => ({
              value,
              label: value === "Other" ? t("metadata:resourceTypes.Other") : value,
            })),
          ]}
        />
      </div>
    </>
  );
}
