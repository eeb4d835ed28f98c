import { useTranslation } from "react-i18next";
import { visibleLines } from "../ui/format.ts";
import { useTerm } from "../ui/useTerm.ts";
import { isObject } from "./same.ts";

/** Names of members and terms. Others are not looked up, because they come from outside. */
const NAME = /^[A-Za-z]{1,50}$/;

/** Members of an entry that are not part of its text, because another one says the same or they need a label. */
const UNSAID = ["nameType", "public", "firstName", "lastName"];

/** Gives the texts of a value of the metadata: the label of a member of an entry, and the value for people. */
export function useEntryWords() {
  const { t, i18n } = useTranslation(["metadata", "new", "edit"]);
  const term = useTerm();
  const wordsOf = (words: string, name: string): string | undefined =>
    NAME.test(name) && i18n.exists(`${words}.${name}`) ? String(t(`${words}.${name}` as never)) : undefined;
  const knownField = (member: string) =>
    member === "public"
      ? t("new:more.contactPublic")
      : (wordsOf("metadata:fields", member) ?? wordsOf("new:authors", member));
  const textOf = (value: unknown, member = ""): string => {
    if (Array.isArray(value)) return value.map((one) => textOf(one)).join("; ");
    if (isObject(value)) return textOfEntry(value);
    if (typeof value === "boolean") return t(value ? "edit:yes" : "edit:no");
    const text = value === undefined || value === null ? "" : visibleLines(String(value));
    return (member === "role" ? wordsOf("new:roles", text) : undefined) ?? term(member, text);
  };
  /** The name of a person, and then the other members. Members that the form does not have are named. */
  function textOfEntry(entry: Record<string, unknown>): string {
    const person = [entry.firstName, entry.lastName].map((name) => textOf(name)).filter((text) => text !== "");
    const others = Object.entries(entry).flatMap(([name, inner]) => {
      const text = UNSAID.includes(name) ? "" : textOf(inner, name);
      if (text === "") return [];
      const isNamed = knownField(name) === undefined && !NESTED.includes(name);
      return [isNamed ? `${visibleLines(name)}: ${text}` : text];
    });
    return [...(person.length === 0 ? [] : [person.join(" ")]), ...others].join(", ");
  }
  return { fieldOf: (member: string) => knownField(member) ?? visibleLines(member), textOf };
}

/** Members of an entry that contain others, and have no label. */
const NESTED = ["geoLocationPoint", "geoLocationBox"];
