import { isDeepStrictEqual } from "node:util";
import { givenText } from "../../../domain/blank.ts";
import type { Findings } from "../../../domain/findings.ts";
import { MOST_SUGGESTIONS, nearMiss } from "../../../domain/near-miss.ts";
import { count } from "../../../domain/numbers.ts";
import type { Remark } from "../../../domain/problems.ts";
import { mostRemarks, pointerTo } from "../../../domain/remarks.ts";
import { isObject } from "../../../domain/shape.ts";
import { checkValue, isEmpty } from "./check-value.ts";
import type { FieldGroup, GroupValues } from "./field.ts";

/** Values of the operator's fields, by group, with the texts of the schemas that define them. */
export interface DefinedFields {
  fields?: Record<string, GroupValues>;
  fieldSchemas?: Record<string, string>;
}

/** What the values are checked against. */
export interface FieldRules {
  /** The groups of the configuration. */
  groups: readonly FieldGroup[];
  /** What is archived for the dataset. Values that have not changed stay valid, also if the configuration changed. */
  archived?: DefinedFields & {
    /** The values as they were sent. */
    sent: unknown;
  };
}

/**
 * Checks the values of the operator's fields as sent, without members that are empty. Required fields must be given only
 * in groups that have a value, unless the group is required itself.
 */
export function checkFields(
  given: Record<string, unknown>,
  pointer: string,
  findings: Findings,
  rules: FieldRules,
): DefinedFields {
  const kept: [string, GroupValues, string][] = [];
  let unknown = 0;
  for (const [name, values] of Object.entries(given)) {
    const at = pointerTo(pointer, name);
    const group = rules.groups.find((one) => one.name === name);
    const archived = archivedGroup(rules, name, values);
    if (group === undefined && archived === undefined) {
      unknown += 1;
      if (unknown <= mostRemarks) findings.error(at, "field_group_unknown", unknownGroup(name, rules.groups, unknown));
    } else if (!isEmpty(values)) {
      const checked = checkGroup(values, at, findings, { group, archived });
      if (checked !== undefined) kept.push([name, ...checked]);
    }
  }
  for (const group of rules.groups) {
    if (!group.required || !isEmpty(given[group.name] ?? {})) continue;
    const at = pointerTo(pointer, group.name);
    // The operator can require a group after a dataset was archived. Other corrections of it must stay possible.
    if (rules.archived !== undefined && !Object.hasOwn(rules.archived.fields ?? {}, group.name)) {
      findings.warn(
        at,
        "field_group_missing",
        `“${group.title}” is required for new datasets, and is missing or empty.`,
      );
    } else findings.error(at, "required", `“${group.title}” is missing or empty.`);
  }
  if (kept.length === 0) return {};
  return {
    fields: Object.fromEntries(kept.map(([name, values]) => [name, values])),
    fieldSchemas: Object.fromEntries(kept.map(([name, , schema]) => [name, schema])),
  };
}

/** Maximum number of values of one group. Each becomes an entity of the RO-Crate. */
const MOST_VALUES = 10_000;

/** The number of texts, numbers and truth values in a value. */
function singleValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + singleValues(inner), 0);
}

interface ArchivedGroup {
  values: GroupValues;
  schema: string;
}

/** The archived group, if the values are still the same. */
function archivedGroup({ archived }: FieldRules, name: string, values: unknown): ArchivedGroup | undefined {
  const { fields = {}, fieldSchemas = {}, sent } = archived ?? {};
  if (!Object.hasOwn(fields, name) || !Object.hasOwn(fieldSchemas, name)) return undefined;
  const [known, schema] = [fields[name], fieldSchemas[name]];
  if (known === undefined || schema === undefined) return undefined;
  const now = trimmed(values);
  const isSame = isDeepStrictEqual(now, known) || (isObject(sent) && isDeepStrictEqual(now, trimmed(sent[name])));
  return isSame ? { values: known, schema } : undefined;
}

/** The values in normal form, and the schema that defines them. */
function checkGroup(
  values: unknown,
  pointer: string,
  findings: Findings,
  { group, archived }: { group: FieldGroup | undefined; archived: ArchivedGroup | undefined },
): [GroupValues, string] | undefined {
  if (group !== undefined) {
    const faults: Remark[] = [];
    const checked = checkValue({ type: "group", fields: group.fields }, values, { pointer, faults });
    if (faults.length === 0 && singleValues(checked) > MOST_VALUES) {
      const detail = `The group has more than ${count(MOST_VALUES)} values.`;
      faults.push({ pointer, code: "metadata_too_large", detail });
    }
    if (faults.length === 0) return [checked as GroupValues, group.schema];
    if (archived === undefined) {
      for (const { pointer: at, code, detail } of faults) findings.error(at, code, detail);
      return undefined;
    }
  }
  if (archived === undefined) return undefined;
  if (group === undefined) {
    const detail = "The operator has removed this group of fields. Its archived values are kept as they are.";
    findings.warn(pointer, "field_group_retired", detail);
  } else {
    const detail = "The operator has changed this group of fields. The archived values are kept until you change them.";
    findings.warn(pointer, "field_values_outdated", detail);
  }
  return [archived.values, archived.schema];
}

/** @param number the number of unknown groups with this one; only the first are compared with known names */
function unknownGroup(name: string, groups: readonly FieldGroup[], number: number): string {
  const names = groups.map((group) => group.name);
  const known = names.length === 0 ? "This service has none." : `Known groups: ${names.join(", ")}.`;
  const meant = number <= MOST_SUGGESTIONS ? nearMiss(name, names) : undefined;
  const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
  return `There is no group of fields of this name. ${known}${question}`;
}

/** The value with texts trimmed and empty members removed, to be compared with an archived one. */
function trimmed(value: unknown): unknown {
  if (typeof value === "string") return givenText(value) ?? "";
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([name, member]) => [name, trimmed(member)]));
}
