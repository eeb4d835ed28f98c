import type { Metadata } from "../metadata/schema.ts";

/** Texts of templates and of programs that stand for a missing value, also the codes of DataCite (appendix 3). */
const EVERYWHERE =
  /^(?::(?:unac|unal|unap|unas|unav|unkn|none|null|tba|etal)|n\/a|n\.a\.|[[<{(]?(?:unspecified\d*|to be (?:announced|determined|added|completed|provided)|(?:please )?(?:insert|enter|fill in|add) (?:\p{L}+ ){0,4}here|your [\p{L} ]{1,40} here)[\]>})]?|(?:todo|fixme|tbd|tba)(?:[:!.-].*)?|x{3,}|lorem ipsum.*)$/isu;
/** In names of persons, these can be initials or family names. */
const IN_TEXTS =
  /^(?:nil|none|null|not (?:available|applicable|provided|specified|known)|undefined|unknown|[-–—?._\s]+)$/i;
/** “Na” is sodium, and a language. */
const NOT_AVAILABLE = /^(?:NA|na|NaN|nan)$/;
/** Names of the described thing itself, instead of its title or description. */
const IN_TITLES =
  /^(?:(?:my|new|untitled|your|insert|enter|example)[ -])?(?:(?:isa )?investigation|study|assay|project|data ?set|data ?package|ro-?crate|crate|experiment|title|name|untitled|description|abstract|research software)(?:[ -]?(?:title|name|description|identifier))?[.:!]?$/i;

const TITLES: ReadonlySet<string> = new Set(["title", "description"]);

/**
 * Whether a text stands for a missing value.
 * @param member the member of the metadata
 * @param name the name of the text, which is a member of an entry or the member itself
 */
export function isPlaceholder(member: keyof Metadata, name: string, text: string): boolean {
  const stated = text.slice(0, 200).trim();
  if (EVERYWHERE.test(stated)) return true;
  if (member === "authors" || member === "language") return false;
  return NOT_AVAILABLE.test(stated) || IN_TEXTS.test(stated) || (TITLES.has(name) && IN_TITLES.test(stated));
}
