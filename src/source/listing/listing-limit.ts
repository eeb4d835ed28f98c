import { duration } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import type { Source } from "../source.ts";

/**
 * A signal that aborts with a Problem (`source_timeout`) when a server takes longer for a page of a listing than is allowed.
 * @param moreMs milliseconds beyond that
 */
export function listingLimit({ egress, origin }: Source, moreMs = 0): AbortSignal {
  const late = new AbortController();
  const milliseconds = egress.listingTimeoutMs;
  AbortSignal.timeout(milliseconds + moreMs).addEventListener("abort", () => {
    const message = `${origin.host} did not send a page of the listing within ${duration(milliseconds)}; the operator of this service can allow more time (ACCESSION_SOURCE_LISTING_TIMEOUT)`;
    late.abort(new Problem("source_timeout", message));
  });
  return late.signal;
}
