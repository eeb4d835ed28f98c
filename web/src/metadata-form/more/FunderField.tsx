import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import newClasses from "../../new/New.module.css";
import type { TextField } from "../list/useEntry.ts";
import { BELOW } from "./below.ts";
import { TermField } from "./TermField.tsx";
import { FUNDER_IDENTIFIER_TYPES } from "./terms.ts";

interface Props {
  name: TextField;
  identifier: TextField;
  type: TextField;
}

/** A funder: its name and its identifier. */
export function FunderField({ name, identifier, type }: Props) {
  const { t } = useTranslation(["new", "metadata"]);
  return (
    <>
      <TextInput {...name} />
      <div className={newClasses.two}>
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
            ...FUNDER_IDENTIFIER_TYPES.map((value) => ({
              value,
              label: value === "Other" ? t("metadata:resourceTypes.Other") : value,
            })),
          ]}
        />
      </div>
    </>
  );
}
