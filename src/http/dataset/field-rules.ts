import type { FieldRules } from "../../describe/metadata/fields/check-fields.ts";
import type { HttpContext } from "../context.ts";
import { metadataOf } from "./export-input.ts";
import type { Version } from "./readable-version.ts";

/** What changed metadata of an archived version are checked against: the configured fields, and its archived values. */
export async function fieldRulesOf(context: HttpContext, version: Version): Promise<FieldRules> {
  const groups = context.intake.fieldGroups;
  const { sent, metadata } = await metadataOf(context, version);
  const { fields, fieldSchemas } = metadata;
  if (fields === undefined || fieldSchemas === undefined) return { groups };
  return { groups, archived: { fields, fieldSchemas, sent: (sent as { fields?: unknown }).fields } };
}
