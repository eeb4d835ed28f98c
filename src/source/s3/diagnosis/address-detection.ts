import { duration } from "../../../domain/numbers.ts";
import { type Code, Problem } from "../../../domain/problems.ts";
import type { SourceAccess } from "../../../domain/source-access/access.ts";
import { listPage, type S3ListingPage } from "../listing/listing.ts";
import { withRetries } from "../retry.ts";
import { S3Bucket } from "../s3-bucket.ts";
import type { Egress } from "../transport/egress.ts";

/** Refusals that may mean that the server expects the bucket in the host name instead of the path. */
const PERHAPS_ADDRESSING = new Set<Code>(["not_s3", "redirected", "wrong_region", "bucket_missing", "source_refused"]);

/**
 * Detects the addressing and the region of a bucket by reading the first page of its listing. Settings of the caller
 * are not overruled: if the region is wrong, the Problem names the correct one. Takes at most the time that the egress allows
 * for a page of a listing.
 *
 * @throws Problem that names the obstacle
 */
export async function detectAddress(
  access: SourceAccess,
  egress: Egress,
  given: { prefix?: string | undefined; signal: AbortSignal },
): Promise<{ source: S3Bucket; page: S3ListingPage }> {
  const source = new S3Bucket(access, egress);
  const options = { ...given, signal: AbortSignal.any([given.signal, listingLimit(source)]) };
  try {
    return await inItsRegion(source, options);
  } catch (error) {
    if (!(error instanceof Problem) || !mayBeVirtual(source, error)) throw error;
    const other = new S3Bucket({ ...access, pathStyle: false }, egress);
    return await inItsRegion(other, options).catch((second: unknown) => {
      options.signal.throwIfAborted();
      // The first response is about the address that the caller gave.
      throw second instanceof Problem && isAboutCaller(second) ? second : error;
    });
  }
}

/** A signal that aborts with a Problem when the server takes longer for the first page than is allowed. */
function listingLimit({ egress, origin }: S3Bucket): AbortSignal {
  const late = new AbortController();
  const milliseconds = egress.listingTimeoutMs;
  AbortSignal.timeout(milliseconds).addEventListener("abort", () => {
    const message = `${origin.host} did not send the first page of the listing within ${duration(milliseconds)}; the operator of this service can allow more time (ACCESSION_SOURCE_LISTING_TIMEOUT)`;
    late.abort(new Problem("source_timeout", message));
  });
  return late.signal;
}

async function inItsRegion(
  source: S3Bucket,
  options: { prefix?: string | undefined; signal: AbortSignal },
): Promise<{ source: S3Bucket; page: S3ListingPage }> {
  try {
    return { source, page: await firstPage(source, options) };
  } catch (error) {
    const region = error instanceof Problem && error.code === "wrong_region" ? error.extra.region : undefined;
    if (typeof region !== "string" || source.access.region !== undefined || region === source.region) throw error;
    source.region = region;
    return { source, page: await firstPage(source, options) };
  }
}

/** Reads the first page. Tries a server that is briefly unavailable once more only, because the caller is waiting. */
function firstPage(
  source: S3Bucket,
  options: { prefix?: string | undefined; signal: AbortSignal },
): Promise<S3ListingPage> {
  return withRetries(options.signal, () => listPage(source, options), { tries: 2 });
}

function mayBeVirtual(source: S3Bucket, problem: Problem): boolean {
  return (
    source.access.pathStyle === undefined &&
    source.addressing === "path" &&
    source.canBeVirtual &&
    PERHAPS_ADDRESSING.has(problem.code)
  );
}

/** Whether the bucket was found at the other address, and the response there is about permissions or keys. */
function isAboutCaller(problem: Problem): boolean {
  return ["list_denied", "anonymous_denied", "access_key_unknown", "secret_key_wrong"].includes(problem.code);
}
