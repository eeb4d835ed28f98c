/**
 * A request with metadata that was sent to DataCite, or is about to be sent, and whose effect is not certain: its answer was lost, or
 * the process has ended or is suspended. DataCite can process it after later requests.
 */
export interface UncertainRequest {
  /** Number of the request among those for the DOI, from 1 on. */
  number: number;
  /** When it was recorded, before it was sent; ISO 8601, UTC. */
  at: string;
  attributes: object;
}

/** Maximum number of requests that are kept for a DOI. An older one that is processed late remains a difference. */
export const MOST_UNCERTAIN = 3;

/** Milliseconds after which DataCite certainly has processed a request, or never will. */
export const LATE_MS = 300_000;

/**
 * Whether one of the uncertain requests has caused all differences: what DataCite states is exactly what the request contained.
 *
 * @param differences the attributes in which DataCite differs from what the DOI must state now
 * @param differencesOf compares what a request contained with what DataCite states
 */
export function causedDifferences(
  requests: readonly UncertainRequest[],
  differences: readonly string[],
  differencesOf: (attributes: object) => readonly string[],
): boolean {
  return requests.some(
    ({ attributes }) =>
      differences.every((name) => Object.hasOwn(attributes, name)) && differencesOf(attributes).length === 0,
  );
}
