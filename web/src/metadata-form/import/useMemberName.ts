import { useTranslation } from "react-i18next";
import { isListName } from "../lists.ts";
import type { Member } from "./members.ts";

/** Gives the name of a member, as in the form. */
export function useMemberName(): (member: Member) => string {
  const { t } = useTranslation(["new", "metadata"]);
  return (member) => {
    if (isListName(member)) return t(`metadata:lists.${member}`);
    switch (member) {
      case "authors":
        return t("parts.authors");
      case "title":
      case "description":
      case "subjects":
      case "language":
      case "license":
        return t(`description.${member}`);
      default:
        return t(`metadata:${member}`);
    }
  };
}
