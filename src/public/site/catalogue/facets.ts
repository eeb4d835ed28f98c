import { ACCESS_KINDS, type AccessKind } from "../../../../packages/rules/src/index.ts";
import type { TermKind } from "../../catalogue/entry.ts";
import { numberText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { pageAddress } from "../layout.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { addressOf, type ShownSearch } from "./search.ts";

/** A value with the number of found datasets that have it. */
export interface ShownFacet {
  kind: TermKind | "access";
  value: string;
  label: string;
  datasets: number;
  /** Whether the number is estimated. */
  isEstimated: boolean;
}

/** Kinds in the order in which they are shown. */
const ORDER = [
  "access",
  "collection",
  "subject",
  "author",
  "institution",
  "year",
  "type",
  "format",
  "licence",
  "funder",
] as const;

/** Values of a kind that are listed, and those that are listed after a click. */
const FEW = 10;
const MANY = 100;

/** The number of values of each kind that a page needs, to know whether there are more. */
export function valuesNeeded({ more }: Pick<ShownSearch, "more">): number {
  return 1 + (more === undefined ? FEW : MANY);
}

/** Values by which the search can be narrowed down, as links, and the chosen ones. */
export function facetsPart(
  site: Site,
  search: ShownSearch,
  { facets, total }: { facets: readonly ShownFacet[]; total: number },
  language: Language,
): Html {
  const words = WORDS[language].catalogue;
  const isOpened = search.chosen.length > 0 || search.more !== undefined;
  const kinds = ORDER.map((kind) => ({ kind, values: shownValues(kind, search, facets) }));
  const useful = kinds.filter(
    ({ kind, values }) =>
      values.length > 1 ||
      values.some((one) => isNarrower(one, total)) ||
      search.chosen.some((one) => one.kind === kind),
  );
  if (useful.length === 0) return NOTHING;
  return html`<details class="facets no-print"${isOpened ? html` open` : NOTHING}><summary>${words.filters}</summary><nav aria-labelledby="filters"><h2 id="filters" class="small dim">${words.filters}</h2>
${search.chosen.length === 0 ? NOTHING : html`<p class="small"><a href="${pageAddress(site, addressOf(search, { chosen: [] }))}">${words.removeAll}</a></p>`}
${useful.map(({ kind, values }) => html`<div class="facet" id="filter-${kind}"><h3>${words.kinds[kind]}</h3><ul>${values.map((one) => item(site, search, one, language))}</ul>${morePart(site, search, { kind, facets }, language)}</div>\n`)}</nav></details>`;
}

/** Whether a value leaves some of the found datasets out. Estimated numbers can differ a little from that of all. */
function isNarrower({ datasets, isEstimated }: ShownFacet, total: number): boolean {
  return datasets < total * (isEstimated ? 0.9 : 1);
}

/** The counted values, and chosen ones that were not counted. */
function shownValues(
  kind: ShownFacet["kind"],
  { chosen, more }: ShownSearch,
  facets: readonly ShownFacet[],
): ShownFacet[] {
  const counted = facets.filter((facet) => facet.kind === kind).slice(0, mostOf(kind, more));
  const others = chosen.filter((one) => one.kind === kind && counted.every(({ value }) => value !== one.value));
  return [
    ...counted,
    ...others.map(({ value, label = value }) => ({ kind, value, label, datasets: 0, isEstimated: false })),
  ];
}

function mostOf(kind: ShownFacet["kind"], more: ShownSearch["more"]): number {
  return kind === more ? MANY : FEW;
}

/** The link to more values of a kind, or back to fewer. */
function morePart(
  site: Site,
  search: ShownSearch,
  { kind, facets }: { kind: ShownFacet["kind"]; facets: readonly ShownFacet[] },
  language: Language,
): Html {
  if (kind === "access") return NOTHING;
  const words = WORDS[language].catalogue;
  const values = facets.filter((facet) => facet.kind === kind).length;
  const link = (text: string, more: ShownSearch["more"]) =>
    html`<p class="small"><a href="${pageAddress(site, `${addressOf(search, { more, page: search.page })}#filter-${kind}`)}" rel="nofollow" aria-label="${text}: ${words.kinds[kind]}">${text}</a></p>`;
  if (kind !== search.more) return values > FEW ? link(words.more, kind) : NOTHING;
  const cut = values > MANY ? html`<p class="small dim">${words.mostValues(String(MANY))}</p>` : NOTHING;
  return html`${cut}${link(words.fewer, undefined)}`;
}

function item(
  site: Site,
  search: ShownSearch,
  { kind, value, label, datasets, isEstimated }: ShownFacet,
  language: Language,
): Html {
  const isChosen = search.chosen.some((one) => one.kind === kind && one.value === value);
  const chosen = isChosen
    ? search.chosen.filter((one) => one.kind !== kind || one.value !== value)
    : [...search.chosen, { kind, value }];
  const href = pageAddress(site, addressOf(search, { chosen }));
  const name = nameOf(kind, value, label, language);
  const link = isChosen
    ? html`<a href="${href}" aria-current="true" aria-label="${WORDS[language].catalogue.remove(name)}">${name} ✕</a>`
    : html`<a href="${href}" rel="nofollow">${name}</a>`;
  return html`<li>${link}<span>${isEstimated ? "≈ " : ""}${numberText(datasets, language)}</span></li>`;
}

function nameOf(kind: ShownFacet["kind"], value: string, label: string, language: Language): string {
  if (kind === "access" && isAccess(value)) return WORDS[language].access[value];
  if (kind === "type") return WORDS[language].resourceTypes[value] ?? label;
  return label;
}

function isAccess(value: string): value is AccessKind {
  return (ACCESS_KINDS as readonly string[]).includes(value);
}
