import { useTranslation } from "react-i18next";
import { type FieldGroup, type FieldValue, useFieldGroups } from "../../api/field-groups.ts";
import { useFormats, visibleLines } from "../../ui/text/format.ts";
import { useFieldTexts } from "./useFieldTexts.ts";

/**
 * Gives the text of a value of the operator's fields, with the titles of fields and choices, and with units. Values
 * without a definition are shown as they are.
 *
 * @param known the definitions of archived values; others are taken from the configuration
 */
export function useOwnValueText(known: readonly FieldGroup[] = []): (pointer: string, value: unknown) => string {
  const { t, i18n } = useTranslation("edit");
  const { titleOf } = useFieldTexts();
  const { calendarDay } = useFormats();
  const groups = [...known, ...(useFieldGroups() ?? [])];
  const textOf = (rule: FieldValue | undefined, value: unknown): string => {
    if (Array.isArray(value)) return value.map((one) => textOf(rule?.items, one)).join("; ");
    if (typeof value === "object" && value !== null) {
      const members = Object.entries(value);
      const order = rule?.fields?.map(({ name }) => name) ?? [];
      return members
        .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
        .map(([name, inner]) => {
          const field = rule?.fields?.find((one) => one.name === name);
          return `${field === undefined ? visibleLines(name) : titleOf(field)}: ${textOf(field, inner)}`;
        })
        .join(", ");
    }
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    const choice = rule?.choices?.find((one) => one.value === value);
    if (choice !== undefined) return titleOf(choice);
    if (typeof value === "number") {
      const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20 }).format(value);
      return rule?.unit === undefined ? number : `${number} ${rule.unit}`;
    }
    const text = String(value ?? "");
    return rule?.format === "date" ? calendarDay(text) : visibleLines(text);
  };
  return (pointer, value) => textOf(ruleAt(groups, pointer), value);
}

/** The definition of a group or field at a pointer such as `/metadata/fields/plants/factors`. */
function ruleAt(groups: readonly FieldGroup[], pointer: string): FieldValue | undefined {
  const [, , , name, ...path] = pointer.split("/");
  const group = groups.find((one) => one.name === name);
  let rule: FieldValue | undefined = group && { type: "group", fields: group.fields };
  for (const step of path) rule = rule?.fields?.find((one) => one.name === step) ?? rule?.items;
  return rule;
}

/** The names of the members of a group in the order of its definition; those without one at the end. */
export function inFieldOrder(groups: readonly FieldGroup[], group: string, names: readonly string[]): string[] {
  const order = groups.find(({ name }) => name === group)?.fields.map(({ name }) => name) ?? [];
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((one, other) => placeOf(one) - placeOf(other));
}
