import { knownLicence } from "../../metadata/values/licence.ts";
import { NO_LICENCE } from "../../version-facts.ts";
import type { Draft } from "../draft.ts";

/** What a file states about one licence: spellings of the same licence, such as its id, address and name. */
export interface StatedLicence {
  spellings: (string | undefined)[];
  /** The part of the dataset to which it applies. */
  appliesTo?: string | undefined;
  /** Whether it is that of a part, also of one that is not named. */
  isPart?: boolean;
  place: string;
}

/** Rights statements about access. They are not licences. */
const ACCESS =
  /^info:eu-repo\/|^https?:\/\/purl\.org\/coar\/access_right\/|^(?:open|restricted|embargoed|closed) access$/i;

const ADDRESS = /^https?:\/\//i;

/** A sentence of a usual template for BIDS datasets, and its variants. Other sentences may state conditions. */
const STATEMENT =
  /^(?:this|the|these) (?:data ?set|data|work|files) (?:is|are) (?:made available|available|released|licensed|distributed|published|provided) under (?:the (?:terms of the )?)?(.{2,100}?)(?:,? whose full text can be found at:? (https?:\/\/\S{1,200}?))?\.?(?: We hope .*)?$/i;

/** Longer texts are not compared with the list of licences. */
const LONGEST_NAME = 1_000;

/**
 * Uses the first known licence, or the first text, as licence of the dataset; further ones that are known, or of a stated part, as
 * licences of parts.
 */
export function addLicences(draft: Draft, stated: StatedLicence[]): void {
  const candidates = stated.flatMap(({ spellings, appliesTo, isPart = appliesTo !== undefined, place }) => {
    const texts = spellings.flatMap((text) =>
      text === undefined || text === NO_LICENCE || ACCESS.test(text) ? [] : [text],
    );
    const known = texts.flatMap((text) => spdxOf(text) ?? []);
    // An address can be that of several licences: the text of GPL-3.0-or-later is that of GPL-3.0-only.
    const named = new Set(texts.filter((text) => !ADDRESS.test(text)).flatMap((text) => spdxOf(text) ?? []));
    if (named.size > 1) draft.remark(place, "The file names the licence in ways that contradict each other. Check it.");
    const license = [...named][0] ?? known[0] ?? texts.find((text) => ADDRESS.test(text)) ?? texts.at(-1);
    return license === undefined ? [] : [{ license, appliesTo, isPart, place, isKnown: known.length > 0 }];
  });
  // An export of this service without a licence of the dataset: all others are then those of parts.
  const isUnlicensed = stated.some(({ spellings }) => spellings.includes(NO_LICENCE));
  const whole = isUnlicensed ? [] : candidates.filter(({ isPart }) => !isPart);
  const main = whole.find(({ isKnown }) => isKnown) ?? whole[0];
  if (main !== undefined) draft.set("license", main, main.license);
  for (const one of candidates) {
    const { license, appliesTo, place, isKnown } = one;
    const isFurther = one.isPart || isUnlicensed || (isKnown && license !== main?.license);
    if (isFurther) draft.add("licenses", place, { license, appliesTo });
    else if (license !== main?.license)
      draft.remark(place, "Only one licence that is not in the list of SPDX is used. This one is not.");
  }
}

/** The SPDX id or expression that a text names, also as a sentence. */
function spdxOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST_NAME) return undefined;
  const [, name, address] = STATEMENT.exec(text.replace(/\s+/g, " ").trim()) ?? [];
  return [text, name, address]
    .map((one) => one && knownLicence(one)?.spdx)
    .find((spdx) => spdx !== undefined && spdx !== "");
}
