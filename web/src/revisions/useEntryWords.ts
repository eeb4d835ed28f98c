import { useTranslation } from "react-i18next";
import { isObject } from "./same.ts";

/** Terms of the metadata with texts in each language, by the member that has them. */
const TERMS: Record<string, string> = {
  titleType: "metadata:titleTypes",
  descriptionType: "metadata:descriptionTypes",
  dateType: "metadata:dateTypes",
  relationType: "metadata:relationTypes",
  resourceTypeGeneral: "metadata:resourceTypes",
  role: "new:roles",
};

/** Gives the texts of a value of the metadata: the label of a member of an entry, and the value for people. */
export function useEntryWords() {
  const { t, i18n } = useTranslation(["metadata", "new", "edit"]);
  const textOr = (key: string, other: string): string => (i18n.exists(key) ? String(t(key as never)) : other);
  const fieldOf = (member: string) => textOr(`metadata:fields.${member}`, textOr(`new:authors.${member}`, member));
  const textOf = (value: unknown, member = ""): string => {
    if (Array.isArray(value)) return value.map((one) => textOf(one)).join("; ");
    if (isObject(value)) {
      return Object.entries(value)
        .map(([name, inner]) => (isObject(inner) || name in TERMS ? textOf(inner, name) : textOf(inner)))
        .filter((text) => text !== "")
        .join(", ");
    }
    if (typeof value === "boolean") return t(value ? "edit:yes" : "edit:no");
    const text = value === undefined || value === null ? "" : String(value);
    const terms = TERMS[member];
    return terms === undefined ? text : textOr(`${terms}.${text}`, text);
  };
  return { fieldOf, textOf };
}
