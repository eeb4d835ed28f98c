import type { PublicationMode } from "./states.ts";

/**
 * The versions of a dataset that its descriptions may name beside the described one: those that are or were published. A service that
 * publishes nothing describes datasets only for their owners and curators, and names all versions until one was published.
 *
 * @param latest number of the newest version
 */
export function namedVersions(
  publications: readonly { version: number; published_at: Date | null }[],
  mode: PublicationMode | "off",
  latest: number,
): number[] {
  const published = publications.filter(({ published_at }) => published_at !== null).map(({ version }) => version);
  if (published.length > 0 || mode !== "off") return published.toSorted((a, b) => a - b);
  return Array.from({ length: latest }, (_, index) => index + 1);
}
