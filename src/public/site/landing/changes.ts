import { type Difference, type MemberChange, visible } from "../../../../packages/rules/src/index.ts";
import { languageName, numberText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { keepLanguage } from "../layout.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import type { ChangedFiles, Landing } from "./shown.ts";

/** Longer values are not shown beside each other: that they differ is said. */
const LONGEST_VALUE = 200;
/** Differences of a list that are shown. */
const MOST_DIFFERENCES = 10;

/** What changed since the published version before this one; nothing for the first. */
export function changesPart({ lang }: Site, { changes, described, language }: Landing): Html {
  if (changes === undefined) return NOTHING;
  const words = WORDS[language].changes;
  const { since, files, members } = changes;
  const earlier = html`<a href="${keepLanguage(`${described.facts.url}?version=${since}`, lang)}">${WORDS[language].landing.version(String(since))}</a>`;
  return html`<section aria-labelledby="changes"><h2 id="changes">${words.title(String(since))}</h2>
${files === undefined ? html`<p>${words.notCompared}</p>` : changedFiles(files, language)}
${
  members.length === 0
    ? html`<p>${words.sameMetadata}</p>`
    : html`<details><summary>${words.metadata} ${names(members, language)}</summary>
<dl>${members.map((one) => html`<dt>${nameOf(one.member, language)}</dt>${valuesOf(one, language)}`)}</dl></details>`
}
<p class="small no-print">${words.earlier} ${earlier}</p></section>`;
}

function changedFiles(files: ChangedFiles, language: Language): Html {
  const words = WORDS[language].changes;
  const kinds = (["added", "changed", "removed"] as const).filter((kind) => files[kind].total > 0);
  const kept = words.kept(numberText(files.kept, language), files.kept === 1);
  if (kinds.length === 0) return html`<p>${words.sameFiles}</p>`;
  const counts = kinds.map((kind) => words[kind](numberText(files[kind].total, language), files[kind].total === 1));
  const lists = kinds.flatMap((kind) => {
    const { total, names } = files[kind];
    if (names.length === 0) return [];
    const rest = total - names.length;
    const further =
      rest > 0 ? html`<li>${WORDS[language].landing.furtherNames(numberText(rest, language))}</li>` : NOTHING;
    return [
      html`<h3>${words.kinds[kind]}</h3><ul>${names.map((name) => html`<li><code>${visible(name)}</code></li>`)}${further}</ul>`,
    ];
  });
  const sentence = html`${[...counts, kept].join(", ")}.`;
  return lists.length === 0
    ? html`<p>${sentence}</p>`
    : html`<details><summary>${sentence}</summary>${lists}</details>`;
}

function names(members: readonly MemberChange[], language: Language): string {
  return members.map(({ member }) => nameOf(member, language)).join(", ");
}

/** The operator's fields have one name for all of their groups. */
function nameOf(member: string, language: Language): string {
  const { members, ownFields } = WORDS[language].changes;
  return member.startsWith("fields/") ? ownFields : (members[member] ?? member);
}

function valuesOf({ member, differences, isReordered }: MemberChange, language: Language): Html {
  const words = WORDS[language].changes;
  if (member.startsWith("fields/")) return html`<dd>${words.differs}</dd>`;
  const shown = differences.slice(0, MOST_DIFFERENCES).map((one) => differenceOf(member, one, language));
  const rest = differences.length - shown.length;
  return html`${isReordered ? html`<dd>${words.reordered}</dd>` : NOTHING}${shown}${rest > 0 ? html`<dd>${WORDS[language].landing.furtherNames(numberText(rest, language))}</dd>` : NOTHING}`;
}

function differenceOf(member: string, { before, after }: Difference, language: Language): Html {
  const words = WORDS[language].changes;
  const [earlier, later] = [textOf(member, before, language), textOf(member, after, language)];
  if (earlier === later || earlier.length > LONGEST_VALUE || later.length > LONGEST_VALUE) {
    return html`<dd>${words.differs}</dd>`;
  }
  const removed = before === undefined ? NOTHING : html`<del><bdi>${earlier}</bdi></del>`;
  const added = after === undefined ? NOTHING : html`<ins><bdi>${later}</bdi></ins>`;
  const arrow = before === undefined || after === undefined ? "" : " → ";
  return html`<dd>${removed}${arrow}${added}</dd>`;
}

/** A value in short: the texts of an entry, without its types and addresses. */
function textOf(member: string, value: unknown, language: Language): string {
  if (member === "language" && typeof value === "string") return languageName(value, language);
  if (Array.isArray(value)) return value.map((one) => textOf("", one, language)).join("; ");
  if (typeof value !== "object" || value === null) return value === undefined || value === null ? "" : String(value);
  const entry = value as Record<string, unknown>;
  const person = [entry.firstName, entry.lastName].filter((part) => typeof part === "string" && part !== "").join(" ");
  const others = Object.entries(entry)
    .filter(([name]) => !UNSAID.has(name) && !name.endsWith("Type"))
    .map(([, inner]) => textOf("", inner, language));
  return [person, ...others].filter((text) => text !== "").join(", ");
}

/** The parts of a name are said together; the others are codes of what is said. */
const UNSAID: ReadonlySet<string> = new Set([
  ...["firstName", "lastName", "role", "public", "spdx", "url", "language", "resourceTypeGeneral", "rorid", "valueUri"],
  ...["subjectScheme", "schemeUri", "awardUri", "funderIdentifier"],
]);
