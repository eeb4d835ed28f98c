import type { DoiAnswer } from "./answers.ts";

/** Maximum number of differences that are named. */
const MOST = 20;

/**
 * Compares what DataCite has about a DOI with what was sent. Members that DataCite adds are ignored.
 * @returns names of the attributes that differ, and `state` if the DOI is not findable
 */
export function differencesFrom(sent: object, answer: DoiAnswer): string[] {
  const names = Object.entries(sent)
    .filter(([name, value]) => !includes(answer.attributes[name], value))
    .map(([name]) => name);
  return [...(answer.state === "findable" ? [] : ["state"]), ...names].slice(0, MOST);
}

/** Whether a value contains everything of another one. Lists must have the same length. */
function includes(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => includes(value[index], item))
    );
  }
  if (typeof wanted === "object" && wanted !== null) {
    return (
      typeof value === "object" &&
      value !== null &&
      Object.entries(wanted).every(
        ([name, item]) => Object.hasOwn(value, name) && includes((value as Record<string, unknown>)[name], item),
      )
    );
  }
  // DataCite returns the publication year as a number.
  return value === wanted || String(value) === String(wanted);
}
