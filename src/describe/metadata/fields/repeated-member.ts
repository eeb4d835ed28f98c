import { pointerTo } from "../../../domain/remarks.ts";

/** The tokens of a JSON text that matter here: strings, brackets, commas and colons. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Open {
  pointer: string;
  /** Undefined in a list. */
  names: Set<string> | undefined;
  /** The current member or the index of the current entry. */
  at: string | number;
}

/**
 * The pointer of the first member of an object that is named twice, of which `JSON.parse` would silently keep the last one.
 *
 * @param text valid JSON
 */
export function repeatedMember(text: string): string | undefined {
  const open: Open[] = [];
  const place = () => {
    const around = open.at(-1);
    return around === undefined ? "" : pointerTo(around.pointer, around.at);
  };
  let expectsName = false;
  for (const [token] of text.matchAll(TOKENS)) {
    const around = open.at(-1);
    if (token === "{") open.push({ pointer: place(), names: new Set(), at: "" });
    else if (token === "[") open.push({ pointer: place(), names: undefined, at: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === "," && typeof around?.at === "number") around.at += 1;
    else if (token.startsWith('"') && expectsName && around?.names !== undefined) {
      around.at = JSON.parse(token) as string;
      if (around.names.has(around.at)) return place();
      around.names.add(around.at);
    }
    expectsName = token === "{" || (token === "," && open.at(-1)?.names !== undefined);
  }
  return undefined;
}
