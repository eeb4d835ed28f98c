import { useTranslation } from "react-i18next";

/** How the field of a member is called. */
export function useFieldNames(): (pointer: string) => string {
  const { t } = useTranslation("new");
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = t("review.author", { number: Number(index) + 1 });
      const field = AUTHOR.find((one) => one === name);
      return field === undefined ? author : `${author}, ${t(`who.${field}`)}`;
    }
    const last = pointer.split("/")[2] ?? "";
    if (last === "embargoDate") return t("what.embargo");
    const what = WHAT.find((one) => one === last);
    if (pointer.startsWith("/metadata")) return what === undefined ? t("parts.who") : t(`what.${what}`);
    if (last === "pathStyle") return t("where.style");
    const where = WHERE.find((one) => one === last);
    return where === undefined ? t("parts.where") : t(`where.${where}`);
  };
}

const AUTHOR = [
  "firstName",
  "lastName",
  "role",
  "orcid",
  "affiliation",
  "rorid",
  "address",
  "zipCode",
  "city",
  "country",
] as const;
const WHAT = ["title", "description", "language", "subjects", "license"] as const;
const WHERE = [
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
