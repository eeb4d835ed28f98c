import { useTranslation } from "react-i18next";

/** The lists of words for the terms of the metadata, by the member that has the term. */
const WORDS = {
  titleType: "titleTypes",
  descriptionType: "descriptionTypes",
  dateType: "dateTypes",
  relationType: "relationTypes",
  resourceTypeGeneral: "resourceTypes",
} as const;

/** Gives the words for the value of a member if it is a term, such as a relation; any other value itself. */
export function useTerm(): (member: string, value: string) => string {
  const { i18n } = useTranslation("metadata");
  return (member, value) => {
    const list = Object.hasOwn(WORDS, member) ? WORDS[member as keyof typeof WORDS] : undefined;
    if (list === undefined) return value;
    const words = i18n.getResource(i18n.language, "metadata", list) as Readonly<Record<string, string>>;
    return (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
  };
}
