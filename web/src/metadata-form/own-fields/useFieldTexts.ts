import { useTranslation } from "react-i18next";
import { type Field, type FieldGroup, type FieldValue, useFieldGroups } from "../../api/field-groups.ts";

type Titled = Pick<FieldGroup, "title" | "titles" | "description"> & Partial<Pick<FieldGroup, "descriptions">>;

/** Gives the texts of a field in the language of the page; those without a translation as they are. */
export function useFieldTexts() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return {
    titleOf: ({ title, titles }: Titled): string => titles[language] ?? title,
    descriptionOf: ({ description, descriptions }: Titled): string | undefined =>
      descriptions?.[language] ?? description,
  };
}

/** Gives the names of the group and the fields at a pointer such as `/metadata/fields/plants/factors/0/name`. */
export function useOwnFieldNames(known: readonly FieldGroup[] = []): (pointer: string) => string[] {
  const { t } = useTranslation("new");
  const { titleOf } = useFieldTexts();
  const configured = useFieldGroups();
  return (pointer) => {
    const [, , , groupName = "", ...path] = pointer.split("/");
    const group = [...known, ...(configured ?? [])].find(({ name }) => name === groupName);
    if (group === undefined) return [groupName, ...path].filter((one) => one !== "");
    const names = [titleOf(group)];
    let at: FieldValue | undefined = { type: "group", fields: group.fields };
    for (const step of path) {
      const field: Field | undefined = at?.fields?.find(({ name }) => name === step);
      if (field !== undefined) names.push(titleOf(field));
      else if (at?.type === "list") names.push(t("list.entry", { number: Number(step) + 1 }));
      else names.push(step);
      at = field ?? at?.items;
    }
    return names;
  };
}
