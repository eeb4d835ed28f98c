import type { Agent, Institution } from "../../../describe/formats/export-input.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";

/** Creators in one line; their institutions, numbered, in a second list. */
export function creatorsOf(creators: readonly Agent[], language: Language): Html {
  const institutions = new Map<string, Institution>();
  for (const { affiliations } of creators) for (const one of affiliations) institutions.set(one.ror ?? one.name, one);
  const keys = [...institutions.keys()];
  const places = new Map(keys.map((key, index) => [key, index + 1]));
  const numbersOf = ({ affiliations }: Agent) => affiliations.map(({ ror, name }) => places.get(ror ?? name));
  const mark = (agent: Agent) =>
    keys.length < 2 || agent.affiliations.length === 0 ? NOTHING : html`<sup>${numbersOf(agent).join(", ")}</sup>`;
  return html`<ul class="people" aria-label="${WORDS[language].landing.authors}">${creators.map((agent) => html`<li>${person(agent, language)}${mark(agent)}</li>`)}</ul>
${
  keys.length === 0
    ? NOTHING
    : html`<p class="small dim">${[...institutions.values()].map(
        (one, index) =>
          html`${index === 0 ? "" : " · "}${keys.length < 2 ? NOTHING : html`<sup>${index + 1}</sup> `}${institution(one, language)}`,
      )}</p>`
}`;
}

/** People and organisations in a list, each with its role if it is stated. */
export function peopleOf(agents: readonly (Agent & { role?: string })[], language: Language): Html {
  return html`<ul class="people">${agents.map((agent) => html`<li>${person(agent, language)}${agent.role === undefined ? "" : ` (${agent.role})`}</li>`)}</ul>`;
}

function person({ name, orcid, ror }: Agent, language: Language): Html {
  const words = WORDS[language].landing;
  if (isWebAddress(orcid))
    return html`${name} <a class="id" href="${orcid}" aria-label="${words.orcid(name)}">ORCID</a>`;
  if (isWebAddress(ror)) return html`${name} <a class="id" href="${ror}" aria-label="${words.ror(name)}">ROR</a>`;
  return html`${name}`;
}

function institution({ name, ror }: Institution, language: Language): Html {
  if (!isWebAddress(ror)) return html`${name}`;
  return html`${name} <a class="id" href="${ror}" aria-label="${WORDS[language].landing.ror(name)}">ROR</a>`;
}
