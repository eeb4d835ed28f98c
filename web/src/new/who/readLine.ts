import type { Person } from "../draft.ts";
import { roleOf } from "./authors.ts";
import { isLikeName, ofName, wordsOf } from "./personName.ts";
import { splitOutside } from "./splitList.ts";

export type Known = Partial<Omit<Person, "id">>;

const ORCID = /(?:https?:\/\/)?(?:www\.)?(?:orcid\.org\/)?\d{4}-\d{4}-\d{4}-\d{3}[\dX]/i;

/**
 * `Carberry, Josiah; 0000-0002-1825-0097; Brown University`, with the parts after the name in any order; what stands
 * in brackets behind the name is a part, too. What is left is what stands for nothing that is known of authors.
 */
export function readLine(line: string): { known: Known; left: string[] } {
  const orcid = ORCID.exec(line)?.[0];
  const [name = "", ...others] = line
    .replace(orcid ?? "", "")
    .replace(/\(([^)]*)\)|<([^>]*)>/g, ";$1$2;")
    .split(/[;\t|]/)
    .map((part) => part.trim().replace(/^[,\s]+|[,\s]+$/g, ""))
    .filter((part, index) => part !== "" || index === 0);
  const [who, behind] = namePart(name);
  const parts = [...behind, ...others];
  const role = parts.find((part) => roleOf(part) !== undefined);
  const affiliation = parts.find((part) => part !== role && !part.includes("@"));
  return {
    known: {
      ...ofName(who),
      ...(orcid !== undefined && { orcid }),
      ...(role !== undefined && { role: roleOf(role) ?? role }),
      ...(affiliation !== undefined && { affiliation }),
    },
    left: parts.filter((part) => part !== role && part !== affiliation),
  };
}

/** `Carberry, Josiah` is a name as a whole; of `Josiah Carberry, Brown University` it is what stands before the comma. */
function namePart(text: string): [string, string[]] {
  const [first = "", second, ...more] = splitOutside(text, /,/g);
  if (second === undefined) return [text, []];
  const isTurned = isLikeName(second) || wordsOf(first) === 1;
  return isTurned ? [`${first}, ${second}`, more] : [first, [second, ...more]];
}
