import type { SourceAccess } from "../../domain/access.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import { type ListingPage, listPage } from "../listing/listing.ts";
import { withRetries } from "../retry.ts";
import { Source } from "../source.ts";
import type { Egress } from "../transport/egress.ts";

/** Refusals that can come from naming the bucket in the path where the server wants it in the host's name. */
const PERHAPS_ADDRESSING = new Set<Code>(["not_s3", "redirected", "wrong_region", "bucket_missing", "source_refused"]);

/**
 * Finds out how a bucket is to be addressed and which region signs for it, by reading the first page of its listing.
 * What the caller gave is not overruled: a wrong region is answered with the right one's name.
 *
 * @throws Problem that names what stands in the way
 */
export async function detectAddress(
  access: SourceAccess,
  egress: Egress,
  options: { prefix?: string | undefined; signal: AbortSignal },
): Promise<{ source: Source; page: ListingPage }> {
  const source = new Source(access, egress);
  try {
    return await inItsRegion(source, options);
  } catch (error) {
    if (!(error instanceof Problem) || !mayBeVirtual(source, error)) throw error;
    const other = new Source({ ...access, pathStyle: false }, egress);
    return await inItsRegion(other, options).catch((second: unknown) => {
      options.signal.throwIfAborted();
      // The first answer is about the address that the caller gave.
      throw second instanceof Problem && isAboutCaller(second) ? second : error;
    });
  }
}

async function inItsRegion(
  source: Source,
  options: { prefix?: string | undefined; signal: AbortSignal },
): Promise<{ source: Source; page: ListingPage }> {
  try {
    return { source, page: await firstPage(source, options) };
  } catch (error) {
    const region = error instanceof Problem && error.code === "wrong_region" ? error.extra.region : undefined;
    if (typeof region !== "string" || source.access.region !== undefined || region === source.region) throw error;
    source.region = region;
    return { source, page: await firstPage(source, options) };
  }
}

/** A server that is busy for a moment is asked once more; the caller is waiting, so not more often. */
function firstPage(
  source: Source,
  options: { prefix?: string | undefined; signal: AbortSignal },
): Promise<ListingPage> {
  return withRetries(options.signal, () => listPage(source, options), 2);
}

function mayBeVirtual(source: Source, problem: Problem): boolean {
  return (
    source.access.pathStyle === undefined &&
    source.addressing === "path" &&
    source.canBeVirtual &&
    PERHAPS_ADDRESSING.has(problem.code)
  );
}

/** The bucket was found at the other address, and the answer there is about rights or keys. */
function isAboutCaller(problem: Problem): boolean {
  return ["list_denied", "anonymous_denied", "access_key_unknown", "secret_key_wrong"].includes(problem.code);
}
