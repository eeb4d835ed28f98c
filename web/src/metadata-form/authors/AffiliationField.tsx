import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import newClasses from "../../new/New.module.css";
import type { TextField } from "../list/useEntry.ts";

/** An institution: its name and its ROR ID. */
export function AffiliationField({ name, rorid }: { name: TextField; rorid: TextField }) {
  const { t } = useTranslation("new");
  return (
    <div className={newClasses.two}>
      <TextInput {...name} />
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
