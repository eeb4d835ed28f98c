import { useTranslation } from "react-i18next";

type TermList = "titleTypes" | "descriptionTypes" | "dateTypes" | "relationTypes" | "resourceTypes";

/** Gives the words for a term of the metadata, such as a relation; the term itself if it is not known. */
export function useTerm(): (list: TermList, term: string) => string {
  const { i18n } = useTranslation("metadata");
  return (list, term) => {
    const words = i18n.getResource(i18n.language, "metadata", list) as Readonly<Record<string, string>>;
    return (Object.hasOwn(words, term) ? words[term] : undefined) ?? term;
  };
}
