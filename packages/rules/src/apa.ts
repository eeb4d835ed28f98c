/** The members of a CSL-JSON item that a citation contains. */
export interface CslItem {
  title: string;
  author: CslName[];
  issued: { "date-parts": number[][] };
  publisher: string;
  version?: string;
  URL?: string;
  /** Of a reserved DOI as well. */
  DOI?: string;
  /** Set before publication. */
  status?: string;
}

type CslName = { literal: string } | { family?: string; given?: string; suffix?: string };

/** If there are more authors, a citation names the first ones and the last one. */
const NAMED = 20;

/**
 * The citation of a dataset in APA style, seventh edition (section 10.9).
 *
 * @param kinds what the item is, in the language of the citation: after and before publication
 */
export function apa(
  { title, author, issued, publisher, version, URL, DOI, status }: CslItem,
  kinds: { published: string; unpublished: string },
): {
  before: string;
  title: string;
  after: string;
} {
  const year = issued["date-parts"][0]?.[0];
  const names = joined(author.map(nameOf));
  const marks = version === undefined ? "" : ` (Version ${version})`;
  const kind = status === undefined ? kinds.published : kinds.unpublished;
  const address = URL ?? (DOI === undefined ? "" : `https://doi.org/${DOI}`);
  return {
    before: `${names.endsWith(".") || names === "" ? names : `${names}.`} (${year ?? "n.d."}). `.trimStart(),
    title,
    after: `${marks} [${kind}]. ${publisher}.${address === "" ? "" : ` ${address}`}`,
  };
}

function nameOf(name: CslName): string {
  if ("literal" in name) return name.literal;
  const { family = "", given = "", suffix = "" } = name;
  const initials = given
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part) => part.split("-").map(initialOf).join("-"))
    .join(" ");
  return [family, initials, suffix].filter((part) => part !== "").join(", ");
}

function initialOf(part: string): string {
  const [first = ""] = part;
  return first === "" ? "" : `${first.toLocaleUpperCase()}.`;
}

function joined(names: string[]): string {
  const last = names.at(-1) ?? "";
  if (names.length > NAMED) return `${names.slice(0, NAMED - 1).join(", ")}, … ${last}`;
  if (names.length < 2) return last;
  return `${names.slice(0, -1).join(", ")}, & ${last}`;
}
