import type { ExportInput } from "../../../describe/formats/export-input.ts";
import { type Archived, archivedGroup } from "../../../describe/metadata/fields/archived-group.ts";
import type { Field, FieldTexts, FieldValue, Value } from "../../../describe/metadata/fields/field.ts";
import { dayText, decimalText, numberText } from "../format.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import { placeFor, type Stated } from "./stated.ts";

/** Values that are shown of a group. The exports have all. */
const MOST_VALUES = 200;

/** What is already shown of a group. */
interface Progress {
  language: Language;
  shown: number;
  omitted: number;
}

/** The version whose exports have all values; undefined for readers without exports. */
type Exported = Pick<ExportInput, "facts" | "query"> | undefined;

/** The values of the fields that the operator has defined, with the titles that they had when they were archived. */
export function ownFieldsPart(stated: Stated, exported: Exported): Html {
  const { fields = {}, fieldSchemas = {} } = stated.metadata;
  const groups = Object.entries(fields).map(([name, values]) => {
    const schema = fieldSchemas[name];
    return schema === undefined ? NOTHING : groupPart({ name, schema, values }, stated, exported);
  });
  return html`${groups}${groups.length === 0 ? NOTHING : placeFor("fields", stated)}`;
}

function groupPart(archived: Archived, { language, seesFaults }: Stated, exported: Exported): Html {
  const { name, values } = archived;
  const { group, refused } = archivedGroup(archived);
  const progress = { language, shown: 0, omitted: 0 };
  const rows = rowsOf(group.fields, values, progress);
  const number = numberText(progress.omitted, language);
  const { furtherValues, furtherNames } = WORDS[language].landing;
  const rest =
    exported === undefined
      ? html`<p class="small">${furtherNames(number)}</p>`
      : html`<p class="small"><a data-export="ro-crate" href="${exported.facts.url}/export/ro-crate${exported.query}">${furtherValues(number)}</a></p>`;
  const fault =
    refused === undefined || seesFaults !== true
      ? NOTHING
      : html`<p class="notice no-print">${WORDS[language].landing.refusedSchema(`${refused.pointer} ${refused.message}`.trim())}</p>
`;
  return html`<section aria-labelledby="fields-${name}"><h2 id="fields-${name}">${titleIn(group, language)}</h2>
${fault}<dl class="facts">${rows.map((row) => html`<div>${row}</div>`)}</dl>${progress.omitted === 0 ? NOTHING : rest}</section>
`;
}

/** The stated values, each with its title. */
function rowsOf(fields: readonly Field[], values: Record<string, Value>, progress: Progress): Html[] {
  return fields.flatMap((field) => {
    const value = values[field.name];
    const shown = value === undefined ? undefined : shownValue(field, value, progress);
    return shown === undefined ? [] : [html`<dt>${titleIn(field, progress.language)}</dt><dd>${shown}</dd>`];
  });
}

/** Undefined if nothing of the value is shown. */
function shownValue(rule: FieldValue, value: Value, progress: Progress): Html | undefined {
  if (Array.isArray(value)) return listOf(rule.items, value, progress);
  if (typeof value === "object") {
    const rows = rowsOf(rule.fields ?? [], value, progress);
    return rows.length === 0 ? undefined : html`<dl>${rows}</dl>`;
  }
  if (progress.shown === MOST_VALUES) {
    progress.omitted += 1;
    return undefined;
  }
  progress.shown += 1;
  return singleValue(rule, value, progress.language);
}

/** Single values in one line, others below each other. */
function listOf(rule: FieldValue = { type: "text" }, values: readonly Value[], progress: Progress): Html | undefined {
  const shown = values.flatMap((value) => shownValue(rule, value, progress) ?? []);
  if (shown.length === 0) return undefined;
  if (rule.type === "group" || rule.type === "list") {
    return html`<ul class="entries">${shown.map((one) => html`<li>${one}</li>`)}</ul>`;
  }
  return html`${shown.map((one, index) => html`${index === 0 ? "" : " · "}${one}`)}`;
}

function singleValue({ choices, format, unit }: FieldValue, value: Exclude<Value, object>, language: Language): Html {
  if (typeof value === "boolean") return html`${WORDS[language].landing.yesOrNo(value)}`;
  const choice = choices?.find((one) => one.value === value);
  if (choice !== undefined) return html`${titleIn(choice, language)}`;
  if (typeof value === "number") {
    return html`${decimalText(value, language)}${unit === undefined ? "" : ` ${unit}`}`;
  }
  if (format === "uri" && isWebAddress(value)) return html`<a href="${value}" rel="nofollow">${value}</a>`;
  if (format === "date") return html`<time datetime="${value}">${dayText(value, language)}</time>`;
  return html`<bdi class="lines">${value}</bdi>`;
}

function titleIn({ title, titles }: Pick<FieldTexts, "title" | "titles">, language: Language): string {
  return titles[language] ?? title;
}
