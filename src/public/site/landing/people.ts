import type { Agent, Institution } from "../../../describe/formats/export-input.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";

/** A person or an organisation, with the role if it is stated. */
export type Named = Agent & { role?: string };

/** People and organisations in one line; their institutions, numbered, in a second list. @param label of the first list */
export function peopleOf(people: readonly Named[], label: string, language: Language): Html {
  const institutions = new Map<string, Institution>();
  for (const { affiliations } of people) for (const one of affiliations) institutions.set(one.ror ?? one.name, one);
  const keys = [...institutions.keys()];
  const places = new Map(keys.map((key, index) => [key, index + 1]));
  const numbersOf = ({ affiliations }: Agent) => affiliations.map(({ ror, name }) => places.get(ror ?? name));
  const mark = (agent: Agent) =>
    keys.length < 2 || agent.affiliations.length === 0 ? NOTHING : html`<sup>${numbersOf(agent).join(", ")}</sup>`;
  return html`<ul class="people" aria-label="${label}">${people.map((agent) => html`<li>${person(agent, language)}${mark(agent)}</li>`)}</ul>
${
  keys.length === 0
    ? NOTHING
    : html`<p class="small dim">${[...institutions.values()].map(
        (one, index) =>
          html`${index === 0 ? "" : " · "}${keys.length < 2 ? NOTHING : html`<sup>${index + 1}</sup> `}${institution(one, language)}`,
      )}</p>`
}`;
}

function person({ name, orcid, ror, role }: Named, language: Language): Html {
  const words = WORDS[language].landing;
  const stated = role === undefined ? "" : ` (${role})`;
  if (isWebAddress(orcid))
    return html`${name} <a class="id" href="${orcid}" aria-label="${words.orcid(name)}">ORCID</a>${stated}`;
  return html`${institution({ name, ...(ror !== undefined && { ror }) }, language)}${stated}`;
}

function institution({ name, ror }: Institution, language: Language): Html {
  if (!isWebAddress(ror)) return html`${name}`;
  return html`${name} <a class="id" href="${ror}" aria-label="${WORDS[language].landing.ror(name)}">ROR</a>`;
}
