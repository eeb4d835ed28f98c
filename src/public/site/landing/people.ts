import type { Agent, Institution } from "../../../describe/formats/export-input.ts";
import { authorTerm, MOST_OF_KIND } from "../../catalogue/entry.ts";
import { numberText } from "../format.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import type { Stated } from "./stated.ts";

/** A person or an organisation, with the role if it is stated. */
export type Named = Agent & { role?: string };

/** Longer lists are folded after `FIRST` names. */
const MOST = 25;
const FIRST = 20;

/**
 * People and organisations in one line; their institutions, numbered, in a second list. A long list is folded: a reader without scripts
 * unfolds it, too, and it is complete on paper. Names lead to all their datasets in the catalogue, if there is one. @param label of the first
 * list
 */
export function peopleOf(
  people: readonly Named[],
  label: string,
  { language, catalogue }: Pick<Stated, "language" | "catalogue">,
): Html {
  const institutions = new Map<string, Institution>();
  for (const { affiliations } of people) for (const one of affiliations) institutions.set(one.ror ?? one.name, one);
  const keys = [...institutions.keys()];
  const places = new Map(keys.map((key, index) => [key, index + 1]));
  const numbersOf = ({ affiliations }: Agent) => affiliations.map(({ ror, name }) => places.get(ror ?? name));
  const mark = (agent: Agent) =>
    keys.length < 2 || agent.affiliations.length === 0 ? NOTHING : html`<sup>${numbersOf(agent).join(", ")}</sup>`;
  const list = (some: readonly Named[]) =>
    html`<ul class="people" aria-label="${label}">${some.map((agent) => html`<li>${person(agent, named(agent), language)}${mark(agent)}</li>`)}</ul>`;
  // No line ends between a number and its name.
  const number = (one: Institution) =>
    keys.length < 2 ? NOTHING : html`<sup>${places.get(one.ror ?? one.name)}</sup>\u00a0`;
  const named = (agent: Named) => {
    const { value } = authorTerm(agent);
    return catalogue === undefined || !agent.isNamed || people.length > MOST_OF_KIND
      ? html`${agent.name}`
      : html`<a href="${catalogue(new URLSearchParams({ author: value }))}">${agent.name}</a>`;
  };
  const institutionsOf = (some: readonly Institution[]) =>
    some.length === 0
      ? NOTHING
      : html`<p class="small dim">${some.map((one, index) => html`${index === 0 ? "" : " · "}${number(one)}${institution(one, language)}`)}</p>`;
  const all = [...institutions.values()];
  if (people.length <= MOST) return html`${list(people)}\n${institutionsOf(all)}`;
  const [first, others] = [people.slice(0, FIRST), people.slice(FIRST)];
  // They are in the order of the people.
  const firstPlaces = new Set(first.flatMap(numbersOf)).size;
  return html`${list(first)}
${institutionsOf(all.slice(0, firstPlaces))}
<details class="more"><summary>${WORDS[language].landing.furtherNames(numberText(others.length, language))}</summary>${list(others)}
${institutionsOf(all.slice(firstPlaces))}</details>`;
}

function person({ name, orcid, ror, role }: Named, shown: Html, language: Language): Html {
  const words = WORDS[language].landing;
  const stated = role === undefined ? "" : ` (${role})`;
  if (isWebAddress(orcid))
    return html`${shown} <a class="id" href="${orcid}" aria-label="${words.orcid(name)}">ORCID</a>${stated}`;
  return html`${shown}${rorOf({ name, ror }, language)}${stated}`;
}

function institution({ name, ror }: Institution, language: Language): Html {
  return html`${name}${rorOf({ name, ror }, language)}`;
}

function rorOf({ name, ror }: { name: string; ror: string | undefined }, language: Language): Html {
  if (!isWebAddress(ror)) return NOTHING;
  return html` <a class="id" href="${ror}" aria-label="${WORDS[language].landing.ror(name)}">ROR</a>`;
}
