import { useTranslation } from "react-i18next";
import { newPerson, type Person } from "../entries/entries.ts";
import { fieldsOf, isListName } from "../entries/lists.ts";
import { useOwnFieldNames } from "../own-fields/useFieldTexts.ts";
import { useMemberName } from "../useMemberName.ts";

const DATA_SOURCE = [
  "endpoint",
  "bucket",
  "region",
  "accessKey",
  "secretKey",
  "sessionToken",
  "roleArn",
  "requesterPays",
  "prefix",
  "include",
  "exclude",
] as const;

/** Gives the label of the field that corresponds to a member of the request. */
export function useFieldNames(): (pointer: string) => string {
  const { t } = useTranslation(["new", "metadata"]);
  const ownNames = useOwnFieldNames();
  const memberName = useMemberName();
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = `${t("parts.authors")} ${Number(index) + 1}`;
      return isAuthorMember(name) ? `${author}, ${t(`authors.${name}`)}` : author;
    }
    if (pointer.startsWith("/metadata/fields/")) return ownNames(pointer).join(", ");
    if (pointer === "/metadata/contact/email") return t("more.contactEmail");
    const [, outer, last = "", entry, ...inner] = pointer.split("/");
    if (outer === "metadata" && isListName(last) && entry !== undefined) {
      const field = fieldsOf(last).find((one) => one === inner.at(-1));
      const named = `${memberName(last)} ${Number(entry) + 1}`;
      return field === undefined ? named : `${named}, ${t(`metadata:fields.${field}`)}`;
    }
    if (outer === "metadata") return last === "" ? t("parts.authors") : memberName(last);
    if (outer === "digests") return t("dataSource.lists");
    if (last === "pathStyle") return t("dataSource.style");
    const access = DATA_SOURCE.find((one) => one === last);
    return access === undefined ? t("parts.data-source") : t(`dataSource.${access}`);
  };
}

function isAuthorMember(name = "id"): name is Exclude<keyof Person, "id"> {
  return name !== "id" && Object.hasOwn(newPerson(), name);
}
