import { useTranslation } from "react-i18next";
import { LONG_TEXTS } from "../api/long-texts.ts";
import { isListName } from "./entries/lists.ts";
import { useOwnFieldNames } from "./own-fields/useFieldTexts.ts";

const TEXTS = ["title", "description", "language", "subjects", "license"] as const;
const FURTHER = [...LONG_TEXTS, "resourceTypeGeneral", "resourceType", "versionLabel", "contact"] as const;

/** Gives the label of a member of the metadata; its name in the API if the form has no field for it. */
export function useMemberName(): (member: string) => string {
  const { t } = useTranslation(["new", "metadata"]);
  const ownNames = useOwnFieldNames();
  return (member) => {
    if (member === "authors") return t("parts.authors");
    if (member === "fields") return t("own.title");
    if (member.startsWith("fields/")) return ownNames(`/metadata/${member}`).join(", ");
    if (member === "embargoDate") return t("description.embargo");
    if (isListName(member)) return t(`metadata:lists.${member}`);
    const text = TEXTS.find((one) => one === member);
    if (text !== undefined) return t(`description.${text}`);
    const further = FURTHER.find((one) => one === member);
    return further === undefined ? member : t(`metadata:${further}`);
  };
}
