import type { AccessKind } from "../../../../packages/rules/src/index.ts";
import type { Agent } from "../../../describe/formats/export-input.ts";
import { descriptionOf } from "../../../describe/version-facts.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { textBlock } from "../markup.ts";
import { WORDS } from "../words.ts";
import { peopleOf } from "./people.ts";
import { langOf, placeFor, type Stated } from "./stated.ts";

interface Heading {
  creators: readonly Agent[];
  /** The submitter’s name of the version, or its number. */
  version: string;
  /** Undefined if the page says nothing about the access. */
  access: AccessKind | undefined;
  /** After the version. */
  date: Html;
}

/** The part after the title: further titles, people, the kind of the dataset and its version. */
export function headingPart(stated: Stated, { creators, version, access, date }: Heading): Html {
  const { language, metadata } = stated;
  const words = WORDS[language];
  const { titles = [] } = metadata;
  const people =
    creators.length === 0
      ? NOTHING
      : html`${peopleOf(creators, words.landing.authors, stated)}${placeFor("authors", stated)}`;
  const further = titles.map(
    (one) =>
      html`<p class="dim">${words.landing.titles[one.titleType]}: <span${langOf(one.language)}>${one.title}</span></p>`,
  );
  return html`${further}${titles.length === 0 ? NOTHING : placeFor("titles", stated)}
${people}
<p class="badges">${access === undefined ? NOTHING : html`<span class="badge ${access}">${words.access[access]}</span>`}
<span class="badge">${words.resourceTypes[metadata.resourceTypeGeneral ?? "Dataset"]}</span>
<span class="dim small">${words.landing.version(version)}${date}</span></p>`;
}

/** The description, further descriptions and acknowledgements. */
export function descriptionPart(stated: Stated): Html {
  const { language, metadata } = stated;
  const words = WORDS[language].landing;
  return html`<section aria-labelledby="description"><h2 id="description">${words.description}</h2>
${textBlock(descriptionOf(metadata), langOf(metadata.language), words.restOfText)}${placeFor("description", stated)}
${otherDescriptions(stated)}</section>`;
}

function otherDescriptions(stated: Stated): Html {
  const words = WORDS[stated.language].landing;
  const { descriptions = [], acknowledgements } = stated.metadata;
  const texts = descriptions.map(
    (one) =>
      html`<h3>${words.descriptions[one.descriptionType]}</h3>${textBlock(one.description, langOf(one.language), words.restOfText)}`,
  );
  const thanks =
    acknowledgements === undefined
      ? NOTHING
      : html`<h3>${words.acknowledgements}</h3>${textBlock(acknowledgements, NOTHING, words.restOfText)}${placeFor("acknowledgements", stated)}`;
  return html`${texts}${texts.length === 0 ? NOTHING : placeFor("descriptions", stated)}${thanks}`;
}
