import { distance } from "fastest-levenshtein";
import { clientSettings, PREFIX, settings } from "./settings.ts";

/** Maximum mistakes in the name of a setting that is suggested. */
const MOST_MISTAKES = 2;

/** Reports unknown settings, because a misspelt setting would have no effect. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>([...settings, ...clientSettings].map(({ name }) => PREFIX + name));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .map((name) => {
      const meant = nearest([...known], name);
      return `${name} is not a setting of this version${meant === undefined ? "" : `. Did you mean ${meant}?`}`;
    });
}

/** The name that was probably meant: one with few mistakes, or of which this is the beginning. */
function nearest(names: readonly string[], name: string): string | undefined {
  const closest = names.toSorted((one, other) => distance(one, name) - distance(other, name))[0] ?? "";
  if (distance(closest, name) <= MOST_MISTAKES) return closest;
  return names.find((one) => one.startsWith(`${name}_`));
}
