import { knownLicence } from "../../domain/metadata/values/licence.ts";
import type { Draft } from "../draft.ts";

/** What a file states about one licence: spellings of the same licence, such as its id, address and name. */
export interface StatedLicence {
  spellings: (string | undefined)[];
  place: string;
}

/** Rights statements about access. They are not licences. */
const ACCESS =
  /^info:eu-repo\/|^https?:\/\/purl\.org\/coar\/access_right\/|^(?:open|restricted|embargoed|closed) access$/i;

/** Longer texts are not compared with the list of licences. */
const LONGEST_NAME = 1_000;

/** Uses the first known licence, or the first text, as licence of the dataset; further known ones as licences of parts. */
export function addLicences(draft: Draft, stated: StatedLicence[]): void {
  const candidates = stated.flatMap(({ spellings, place }) => {
    const texts = spellings.filter((text) => text !== undefined && !ACCESS.test(text));
    const spdx = texts.map(spdxOf).find((id) => id !== undefined);
    const license = spdx ?? texts[0];
    return license === undefined ? [] : [{ license, place, isKnown: spdx !== undefined }];
  });
  const main = candidates.find(({ isKnown }) => isKnown) ?? candidates[0];
  if (main === undefined) return;
  draft.set("license", main.license, main.place);
  for (const { license, place, isKnown } of candidates) {
    if (isKnown && license !== main.license) draft.add("licenses", { license }, place);
  }
}

/** The SPDX id or expression that a text names. */
function spdxOf(text: string | undefined): string | undefined {
  return text === undefined || text.length > LONGEST_NAME ? undefined : knownLicence(text)?.spdx;
}
