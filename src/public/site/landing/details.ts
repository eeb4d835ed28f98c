import { agentOf } from "../../../describe/metadata/agent.ts";
import type { NormalizedContact, NormalizedSubjectTerm } from "../../../describe/metadata/normalized.ts";
import type { Licence } from "../../../describe/metadata/values/licence.ts";
import { type Publisher, publicContactOf } from "../../../describe/version-facts.ts";
import { dayText, languageName, periodText } from "../format.ts";
import { Html, html, isWebAddress, NOTHING } from "../html.ts";
import { WORDS } from "../words.ts";
import { copyButton } from "./copy-button.ts";
import { type Named, peopleOf } from "./people.ts";
import { langOf, placeFor, type Stated } from "./stated.ts";

/** Facts besides the metadata; undefined if the reader may not know them. */
export interface Identity {
  identifier: Html | undefined;
  publisher: Publisher | undefined;
  /** The end of an embargo that the page does not state elsewhere. */
  embargo: { date: string; means: string | undefined } | undefined;
}

/** A term, its value, and the members of the metadata that it is about. Without a value, it is not shown. */
type Row = [term: string, value: Html | Html[] | undefined, ...members: string[]];

/** The licences that the page explains, by the beginning of their SPDX identifiers. */
const MEANINGS = [
  [/^CC0-/, "cc0"],
  [/^CC-BY-NC-ND-/, "ccByNcNd"],
  [/^CC-BY-NC-SA-/, "ccByNcSa"],
  [/^CC-BY-NC-/, "ccByNc"],
  [/^CC-BY-ND-/, "ccByNd"],
  [/^CC-BY-SA-/, "ccBySa"],
  [/^CC-BY-/, "ccBy"],
  [/^(MIT|BSD-[23]-Clause|ISC|Apache-2\.0)$/, "permissive"],
  [/^(A|L)?GPL-/, "copyleft"],
] as const;

/** Roles that say no more than the heading. */
const UNSAID: readonly string[] = ["Contributor", "Other"];

/** The metadata besides title, authors and texts. */
export function detailsBox(stated: Stated, { identifier, publisher, embargo }: Identity): Html {
  const { language, metadata } = stated;
  const words = WORDS[language].landing;
  const contact = publicContactOf(metadata);
  const { dates = [], alternateIdentifiers = [], subjectTerms = [] } = metadata;
  const rows: Row[] = [
    [
      words.identifier,
      identifier &&
        html`<span id="identifier">${identifier}</span><br>${copyButton("identifier", words.copyIdentifier, language)}`,
    ],
    [words.licence, licences(stated), "license", ...(metadata.licenses === undefined ? [] : ["licenses"])],
    [words.embargo, embargo && embargoOf(embargo, stated), "embargoDate"],
    [words.publisher, publisher && linked(publisher.url, publisher.name)],
    [words.subjects, keywords(stated), "subjects", ...(subjectTerms.length === 0 ? [] : ["subjectTerms"])],
    [words.type, kindOf(stated), "resourceTypeGeneral"],
    // The heading has it, too.
    [words.versionLabel, stated.hasPlaces ? textOf(metadata.versionLabel) : undefined, "versionLabel"],
    [words.languageOf, textOf(metadata.language && languageName(metadata.language, language)), "language"],
    [words.contributors, contributors(stated)],
    [words.contact, contact && mailbox(contact), "contact"],
    ...dates.map(
      ({ date, dateType, dateInformation }, index): Row => [
        words.dateTypes[dateType] ?? dateType,
        html`${periodText(date, language)}${dateInformation === undefined ? "" : ` (${dateInformation})`}`,
        ...(index === dates.length - 1 ? ["dates"] : []),
      ],
    ),
    [
      words.otherIdentifiers,
      alternateIdentifiers.map(
        ({ alternateIdentifier, alternateIdentifierType }) =>
          html`${alternateIdentifierType}: ${linked(alternateIdentifier, alternateIdentifier)}<br>`,
      ),
      "alternateIdentifiers",
    ],
  ];
  const shown = rows.filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0));
  return html`<section class="box" aria-labelledby="details"><h2 id="details">${words.details}</h2>
<dl>${shown.map(([name, value, ...members]) => html`<dt>${name}</dt><dd>${value}${members.map((one) => placeFor(one, stated))}</dd>`)}</dl></section>`;
}

function licences({ language, metadata, isWhole }: Stated): Html[] {
  const words = WORDS[language].landing;
  const { license, licenses = [] } = metadata;
  const first =
    license === undefined
      ? html`${words.noLicence}`
      : html`${licenceOf(license, language)}${meaningOf(license, language)}`;
  return [
    ...(license !== undefined || isWhole ? [first] : []),
    ...licenses.map(
      ({ license: other, appliesTo }) =>
        html`<br>${licenceOf(other, language)}${appliesTo === undefined ? "" : ` (${appliesTo})`}`,
    ),
  ];
}

function licenceOf({ spdx, name, url }: Licence, language: Stated["language"]): Html {
  const shown = WORDS[language].landing.licenceNames[spdx ?? ""] ?? name;
  return isWebAddress(url) ? html`<a rel="license" href="${url}">${shown}</a>` : html`${shown}`;
}

/** The permissions of the licence; nothing if they take more than a sentence. */
function meaningOf({ spdx }: Licence, language: Stated["language"]): Html {
  const meaning = MEANINGS.find(([form]) => form.test(spdx ?? ""))?.[1];
  if (meaning === undefined) return NOTHING;
  return html`<br><span class="dim small">${WORDS[language].landing.licenceMeanings[meaning]}</span>`;
}

function embargoOf({ date, means }: NonNullable<Identity["embargo"]>, { language }: Stated): Html {
  return html`<time datetime="${date}">${dayText(date, language)}</time>${means === undefined ? NOTHING : html`<br><span class="dim small">${means}</span>`}`;
}

/** Keywords, and terms each with its vocabulary. A keyword that is also a term is shown once. */
function keywords({ metadata, catalogue }: Stated): Html | undefined {
  const { subjects, subjectTerms = [] } = metadata;
  const others = subjects.filter((subject) => !subjectTerms.some((term) => term.subject === subject));
  const terms = [...others.map((subject): NormalizedSubjectTerm => ({ subject })), ...subjectTerms];
  if (terms.length === 0) return undefined;
  const search = (word: string) => new URLSearchParams({ q: `"${word.replaceAll('"', "")}"` });
  const named = ({ subject, language }: NormalizedSubjectTerm) =>
    catalogue === undefined
      ? html`<span${langOf(language)}>${subject}</span>`
      : html`<a href="${catalogue(search(subject))}"${langOf(language)}>${subject}</a>`;
  const shown = new Set(terms.map((one) => html`<li>${named(one)}${vocabularyOf(one)}</li>`.text));
  return html`<ul class="tags">${[...shown].map((one) => new Html(one))}</ul>`;
}

/** The vocabulary and the code of a term, which lead to the term, or else to the vocabulary. */
function vocabularyOf({ subjectScheme, classificationCode, valueUri, schemeUri }: NormalizedSubjectTerm): Html {
  const address = [valueUri, schemeUri].find(isWebAddress);
  const stated = [subjectScheme, classificationCode].filter((one) => one !== undefined).join(" ");
  const shown = stated === "" && address !== undefined ? new URL(address).host : stated;
  if (shown === "") return NOTHING;
  return address === undefined
    ? html` <span class="id">${shown}</span>`
    : html` <a class="id" rel="nofollow" href="${address}">${shown}</a>`;
}

/** The kind in the submitter’s words. The heading has the general one. */
function kindOf({ metadata, hasPlaces, language }: Stated): Html | undefined {
  const { resourceType, resourceTypeGeneral } = metadata;
  const general = hasPlaces && resourceTypeGeneral ? WORDS[language].resourceTypes[resourceTypeGeneral] : undefined;
  return textOf(resourceType ?? general);
}

function contributors(stated: Stated): Html | undefined {
  const { metadata, language } = stated;
  const found = metadata.authors.filter(({ role }) => role !== "Creator");
  const { roles, landing } = WORDS[language];
  const shown = found.map((author): Named => {
    const { role } = author;
    return { ...agentOf(author), ...(!UNSAID.includes(role) && { role: roles[role] ?? role }) };
  });
  return shown.length === 0 ? undefined : peopleOf(shown, landing.contributors, stated);
}

/** A text that leads to its address, if it has one. */
export function linked(url: string | undefined, text: string): Html {
  return isWebAddress(url) ? html`<a href="${url}">${text}</a>` : html`${text}`;
}

export function mailbox({ name, email }: NormalizedContact): Html {
  return html`${name === undefined ? "" : `${name} `}<a href="mailto:${email}">${email}</a>`;
}

function textOf(text: string | undefined): Html | undefined {
  return text === undefined || text === "" ? undefined : html`${text}`;
}
