import { useTranslation } from "react-i18next";
import { isListName, LIST_FIELDS } from "../entries/lists.ts";
import { useOwnFieldNames } from "../own-fields/useFieldTexts.ts";

const AUTHOR = [
  "name",
  "firstName",
  "lastName",
  "role",
  "orcid",
  "affiliation",
  "rorid",
  "affiliations",
  "address",
  "zipCode",
  "city",
  "country",
] as const;

const DESCRIPTION = ["title", "description", "language", "subjects", "license"] as const;

const FURTHER = ["acknowledgements", "resourceTypeGeneral", "resourceType", "versionLabel", "contact"] as const;

const DATA_SOURCE = [
  "endpoint",
  "bucket",
  "region",
  "accessKey",
  "secretKey",
  "sessionToken",
  "prefix",
  "include",
  "exclude",
] as const;

/** Gives the label of the field that corresponds to a member of the request. */
export function useFieldNames(): (pointer: string) => string {
  const { t } = useTranslation(["new", "metadata"]);
  const ownNames = useOwnFieldNames();
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = `${t("parts.authors")} ${Number(index) + 1}`;
      const field = AUTHOR.find((one) => one === name);
      return field === undefined ? author : `${author}, ${t(`authors.${field}`)}`;
    }
    if (pointer.startsWith("/metadata/fields/")) return ownNames(pointer).join(", ");
    const [, , last = "", entry, ...inner] = pointer.split("/");
    if (isListName(last) && pointer.startsWith("/metadata")) {
      const list = t(`metadata:lists.${last}`);
      const field = LIST_FIELDS[last].find((one) => one === inner.at(-1));
      if (entry === undefined) return list;
      return [`${list} ${Number(entry) + 1}`, ...(field === undefined ? [] : [t(`metadata:fields.${field}`)])].join(
        ", ",
      );
    }
    if (last === "embargoDate") return t("description.embargo");
    if (pointer === "/metadata/contact/email") return t("more.contactEmail");
    const further = FURTHER.find((one) => one === last);
    if (further !== undefined) return t(`metadata:${further}`);
    const field = DESCRIPTION.find((one) => one === last);
    if (pointer.startsWith("/metadata")) return field === undefined ? t("parts.authors") : t(`description.${field}`);
    if (last === "pathStyle") return t("dataSource.style");
    const access = DATA_SOURCE.find((one) => one === last);
    return access === undefined ? t("parts.data-source") : t(`dataSource.${access}`);
  };
}
