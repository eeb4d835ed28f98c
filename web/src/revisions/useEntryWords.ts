import { useTranslation } from "react-i18next";
import { visibleLines } from "../ui/format.ts";
import { isObject } from "./same.ts";

/** Terms of the metadata with texts in each language, by the member that has them. */
const TERMS: ReadonlyMap<string, string> = new Map([
  ["titleType", "metadata:titleTypes"],
  ["descriptionType", "metadata:descriptionTypes"],
  ["dateType", "metadata:dateTypes"],
  ["relationType", "metadata:relationTypes"],
  ["resourceTypeGeneral", "metadata:resourceTypes"],
  ["role", "new:roles"],
]);

/** Names of members and terms. Others are not looked up, because they come from outside. */
const NAME = /^[A-Za-z]{1,50}$/;

/** Gives the texts of a value of the metadata: the label of a member of an entry, and the value for people. */
export function useEntryWords() {
  const { t, i18n } = useTranslation(["metadata", "new", "edit"]);
  const textOr = (words: string, name: string, other: string): string =>
    NAME.test(name) && i18n.exists(`${words}.${name}`) ? String(t(`${words}.${name}` as never)) : other;
  const fieldOf = (member: string) => {
    if (member === "public") return t("new:more.contactPublic");
    return textOr("metadata:fields", member, textOr("new:authors", member, visibleLines(member)));
  };
  const textOf = (value: unknown, member = ""): string => {
    if (Array.isArray(value)) return value.map((one) => textOf(one)).join("; ");
    if (isObject(value)) {
      return Object.entries(value)
        .map(([name, inner]) => (name === "public" ? "" : textOf(inner, name)))
        .filter((text) => text !== "")
        .join(", ");
    }
    if (typeof value === "boolean") return t(value ? "edit:yes" : "edit:no");
    const text = value === undefined || value === null ? "" : visibleLines(String(value));
    const terms = TERMS.get(member);
    return terms === undefined ? text : textOr(terms, text, text);
  };
  return { fieldOf, textOf };
}
