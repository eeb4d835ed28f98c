import { inMessage } from "../../../domain/in-message.ts";
import { duration, several } from "../../../domain/numbers.ts";
import { type Code, Problem, sentence } from "../../../domain/problems.ts";
import { isAnonymous, type SourceAccess } from "../../../domain/source-access/access.ts";
import type { S3ListingPage } from "../listing/listing.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import type { Egress } from "../transport/egress.ts";
import { explainFailure } from "../transport/errors.ts";
import { detectAddress } from "./address-detection.ts";
import { minimalBucketPolicy } from "./bucket-policy.ts";
import { readOne } from "./read-one.ts";
import { type Step, type StepName, Steps } from "./steps.ts";

export interface Report {
  ok: boolean;
  /** A text for people: that the connection works, or the cause and the remedy. */
  message: string;
  steps: Step[];
  /** The least-privilege policy, ready to be copied. */
  policy: object;
}

interface Options {
  prefix?: string | undefined;
  signal: AbortSignal;
  onStep?: ((step: Step) => void) | undefined;
  slowMs?: number;
}

export interface Diagnosis {
  report: Report;
  /** Set if the check failed. */
  problem?: Problem;
  /** Set if the check passed: the source with its detected address, and the first page of its listing. */
  reached?: { source: S3Bucket; page: S3ListingPage };
}

/** Time limit for reaching the server, and for reading objects. The listing has its own. */
const SHORT_MS = 15_000;
/** While the server prepares the listing, the caller is told how long that has taken. Proxies then keep the stream open. */
const SLOW_LISTING_MS = 15_000;
const SKEW_WORTH_A_WARNING_MS = 5 * 60_000;

/** The step that fails when the listing is refused with this code. */
const stepOf: Partial<Record<Code, StepName>> = {
  address_unresolvable: "address",
  name_lookup_failed: "address",
  address_refused: "address",
  tls_expected: "tls",
  tls_expired: "tls",
  tls_not_spoken: "tls",
  tls_untrusted: "tls",
  tls_wrong_host: "tls",
  clock_skewed: "clock",
  access_key_unknown: "signature",
  secret_key_wrong: "signature",
  credentials_expired: "signature",
  roles_off: "signature",
  role_denied: "signature",
  role_unprotected: "signature",
  sts_refused: "signature",
  sts_unavailable: "signature",
  not_s3: "signature",
  account_suspended: "bucket",
  bucket_missing: "bucket",
  wrong_region: "bucket",
  redirected: "bucket",
};

const aboutBucket = new Set<Code>([
  "bucket_missing",
  "list_denied",
  "requester_pays_required",
  "listing_invalid",
  "listing_loop",
  "key_too_long",
]);

/**
 * Performs the steps of a submission on a small scale: connects to the endpoint, negotiates TLS, signs, lists, and
 * reads the first bytes of up to five objects until one can be read. Problems that a person can act on are reported,
 * not thrown. Each step is reported as soon as its result is known, and again if the result changes.
 *
 * @param options.slowMs interval in which a listing that takes long is reported
 */
export async function diagnose(access: SourceAccess, egress: Egress, options: Options): Promise<Diagnosis> {
  const steps = new Steps(options.onStep);
  let kmsKey: string | undefined;
  const policy = () => minimalBucketPolicy(access.bucket, options.prefix, kmsKey);
  try {
    const url = new URL(access.endpoint);
    const soon = shortly(options);
    await findAddress(url, egress, steps, soon);
    await reach(url, egress, steps, soon);
    const reached = await list(access, egress, options, steps);
    const { source, page } = reached;
    await readOne({ source, objects: page.objects, signal: shortly(options) }, steps, (key) => {
      kmsKey = key;
    });
    return { report: { ok: true, message: "Connection successful", steps: steps.all(), policy: policy() }, reached };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `Connection unsuccessful: ${lowerFirst(sentence(error))}`;
    return { report: { ok: false, message, steps: steps.all(), policy: policy() }, problem: error };
  }
}

function shortly({ signal }: Options): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(SHORT_MS)]);
}

async function findAddress(url: URL, egress: Egress, steps: Steps, signal: AbortSignal): Promise<void> {
  const addresses = await steps.attempt("address", signal, () => egress.resolve(url.hostname));
  const values = { host: url.hostname, addresses };
  // The host can be an address itself; IPv6 addresses are in brackets.
  const isAddress = addresses.every((address) => url.hostname.replace(/^\[|\]$/g, "") === address);
  const text = isAddress
    ? `The endpoint names the address ${addresses.join(", ")}`
    : `${url.hostname} has the address ${addresses.join(", ")}`;
  steps.pass("address", "address_resolved", text, values);
}

/** Opens and closes one connection, so that the report can distinguish the network from the server. */
async function reach(url: URL, egress: Egress, steps: Steps, signal: AbortSignal): Promise<void> {
  const secure = url.protocol === "https:";
  const aboutTls = (problem: Problem) => problem.code.startsWith("tls_");
  const pass = () =>
    steps.pass("connect", "connection_accepted", `${url.host} accepts connections`, { host: url.host });
  await steps.attempt(
    (problem) => {
      if (aboutTls(problem)) pass();
      return aboutTls(problem) ? "tls" : "connect";
    },
    signal,
    () => openAndClose(url, egress),
  );
  pass();
  if (secure) steps.pass("tls", "certificate_trusted", "The certificate is trusted");
  else {
    steps.note("tls", "skipped", "unencrypted", "The connection uses plain HTTP, so the data is not encrypted", {
      hint: "Use https:// if the server offers it.",
    });
  }
}

async function openAndClose(url: URL, egress: Egress): Promise<void> {
  const { hostname, host, protocol, port } = url;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  egress.connect({ hostname, host, protocol, port }, (error, socket) => {
    socket?.destroy();
    if (error === null) resolve();
    else reject(error);
  });
  await promise.catch((error: unknown) => {
    throw explainFailure(error, url);
  });
}

async function list(
  access: SourceAccess,
  egress: Egress,
  options: Options,
  steps: Steps,
): Promise<{ source: S3Bucket; page: S3ListingPage }> {
  const began = performance.now();
  const limit = duration(egress.listingTimeoutMs);
  const waiting = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    const detail = `The server has not answered for ${several(seconds, "second")}. The check waits up to ${limit}`;
    steps.waits("list", "listing_slow", detail, { seconds, limitSeconds: egress.listingTimeoutMs / 1_000 });
  }, options.slowMs ?? SLOW_LISTING_MS);
  const listed = steps.attempt(
    (problem) => {
      const step = stepOf[problem.code] ?? "list";
      if (aboutBucket.has(problem.code)) {
        // A server that reports on the bucket has already accepted the keys.
        if (!isAnonymous(access)) {
          steps.pass("clock", "time_accepted", "The server accepts the time of this service");
        }
        recognised(access, steps);
        if (step === "list") steps.pass("bucket", "bucket_found", "The bucket exists");
      }
      return step;
    },
    options.signal,
    () => detectAddress(access, egress, options),
  );
  const reached = await listed.finally(() => clearInterval(waiting));
  checkClock(reached.page.date, steps);
  recognised(access, steps);
  steps.pass("bucket", "bucket_found", "The bucket exists");
  noteListing(reached.page, options.prefix ?? "", steps);
  noteUntimed(reached.page, steps);
  noteUnproven(reached.page, steps);
  return reached;
}

function noteListing({ objects: { length }, next }: S3ListingPage, prefix: string, steps: Steps): void {
  const [objects, shown] = [{ objects: length }, inMessage(prefix)];
  if (length > 0 && next === undefined) {
    steps.pass("list", "objects_listed", `The bucket lists ${length} objects`, objects);
  } else if (length > 0) {
    steps.pass("list", "objects_listed_partly", `The bucket lists more than ${length} objects`, objects);
  } else if (prefix === "") steps.pass("list", "bucket_empty", "The bucket is empty");
  else {
    const detail = `The bucket has no objects whose keys begin with “${shown}”`;
    steps.pass("list", "prefix_unmatched", detail, { prefix: shown });
  }
}

/** The server does not show which object a key means. Reads compare size and ETag, so no other object is archived. */
function noteUnproven({ unprovenKey }: S3ListingPage, steps: Steps): void {
  if (unprovenKey === undefined) return;
  const key = inMessage(unprovenKey);
  const detail = `The server does not show how it encodes keys that contain “+” or “%”, such as “${key}”`;
  steps.note("list", "warning", "names_unproven", detail, {
    hint: "Objects whose size or ETag differs from the listing are reported as unreadable. Ask the storage provider to support encoding-type=url as Amazon S3 does.",
    values: { key },
  });
}

/** The server states times that are none. The archive then has no time of the last change. */
function noteUntimed({ untimedKey }: S3ListingPage, steps: Steps): void {
  if (untimedKey === undefined) return;
  const key = inMessage(untimedKey);
  const detail = `The server states no valid time of the last change, such as for “${key}”`;
  steps.note("list", "warning", "times_invalid", detail, {
    hint: "No action is required. The dataset contains no time of the last change for these objects.",
    values: { key },
  });
}

function recognised(access: SourceAccess, steps: Steps): void {
  if (isAnonymous(access)) steps.note("signature", "skipped", "anonymous", "Public bucket, read without credentials");
  else {
    const accepted = access.role === undefined ? "the access key" : "the keys of the role";
    steps.pass("signature", "keys_accepted", `The server accepts ${accepted}`);
  }
}

function checkClock(date: string | undefined, steps: Steps): void {
  const skew = date === undefined ? Number.NaN : Math.abs(Date.parse(date) - Date.now());
  if (Number.isNaN(skew)) steps.note("clock", "skipped", "clock_unknown", "The server does not report its time");
  else if (skew > SKEW_WORTH_A_WARNING_MS) {
    const minutes = Math.round(skew / 60_000);
    steps.note(
      "clock",
      "warning",
      "clocks_differ",
      `The time of this service and of the server differs by ${minutes} minutes`,
      {
        hint: "The server may refuse access. Ask the operator to check the clock of the service.",
        values: { minutes },
      },
    );
  } else steps.pass("clock", "clocks_agree", "This service and the server have the same time");
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
