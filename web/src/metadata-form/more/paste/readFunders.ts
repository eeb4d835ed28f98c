import { type Entry, filledIn, newEntry } from "../../entries/lists.ts";

type Funding = Entry<"fundingReferences">;

const FUNDER_ID = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/\S+|(?:https?:\/\/(?:dx\.)?doi\.org\/)?10\.13039\/\S+)$/i;
const ADDRESS = /^https?:\/\/\S+$/i;

/** The grants in a text with one per line, and the lines that name no funder. */
export function readFunders(text: string): { entries: Funding[]; left: string[] } {
  const all = filledIn(text.split(/\r?\n/)).map((line) => ({ line, known: readLine(line) }));
  return {
    entries: all.flatMap(({ known }) => (known.funderName === "" ? [] : [newEntry("fundingReferences", known)])),
    left: all.flatMap(({ line, known }) => (known.funderName === "" ? [line] : [])),
  };
}

/**
 * `Funder; grant number; title`, separated by semicolons, tabs or vertical bars. Identifiers of the funder and web
 * addresses can be anywhere.
 */
function readLine(line: string): Partial<Funding> & { funderName: string } {
  const parts = line.split(/[;\t|]/).map((part) => part.trim());
  const funderIdentifier = parts.find((part) => FUNDER_ID.test(part)) ?? "";
  const awardUri = parts.find((part) => ADDRESS.test(part) && part !== funderIdentifier) ?? "";
  const others = parts.filter((part) => part !== "" && part !== funderIdentifier && part !== awardUri);
  const [funderName = "", awardNumber = "", awardTitle = ""] = others;
  return { funderName, awardNumber, awardTitle, funderIdentifier, awardUri };
}
