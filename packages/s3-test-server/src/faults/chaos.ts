import { hash } from "node:crypto";
import type { RawRequest } from "../http/raw-request.ts";
import { type Reply, type ResponseFault, replyLength } from "../http/reply.ts";
import type { Operation } from "../operations/operations.ts";
import type { Fault } from "./faults.ts";

/** A fault as plain data, so that a plan can be recorded and repeated. */
export type ChaosFault =
  /** Closes with RST: before a response, or at some byte of the body. */
  | { kind: "reset" | "reset in body" }
  /** Sends nothing, before the headers or from some byte of the body on. The connection ends after this time. */
  | { kind: "silence" | "silence in body"; milliseconds: number }
  /** The head is sent in two pieces with this delay. */
  | { kind: "head in pieces"; milliseconds: number }
  | { kind: "status"; status: number; code: string; retryAfter?: number }
  /** One byte of the body is changed. */
  | { kind: "flipped bit" }
  | { kind: "wrong length"; by: number }
  /** The body ends at some byte, and no header states its length. */
  | { kind: "short without length" }
  /** A 200 with other content. */
  | { kind: "html" | "nothing" | "json" | "error in 200" }
  /** The body ends at some byte, and the stated length is that of the bytes sent. */
  | { kind: "truncated" }
  /** A listing continues at an earlier position. */
  | { kind: "repeated token" }
  | { kind: "content-encoding gzip" }
  /** Another client changes the bucket: this object, or a new one. */
  | { kind: "overwritten" | "deleted" | "added" }
  /** The access key of the request is no longer known. */
  | { kind: "key revoked" };

/** The requests to which a rule applies. Omitted members match everything. */
export interface ChaosMatch {
  operation?: Operation;
  key?: string;
  /** Only the nth attempt of one operation on one key, counted from 1. */
  nth?: number;
  /** Only this number of first attempts of one operation on one key, so that retries succeed. */
  first?: number;
}

export interface ChaosRule {
  match?: ChaosMatch;
  /** The share of matching requests that have the fault: 0 to 1. */
  share: number;
  fault: ChaosFault;
}

/** A complete plan of faults as data. */
export interface ChaosPlan {
  seed: string;
  rules: readonly ChaosRule[];
}

/** The changes that a plan can make to a bucket. */
interface ChaosActions {
  overwrite(bucket: string, key: string, seed: string): void;
  remove(bucket: string, key: string): void;
  revoke(accessKey: string): void;
}

/** A number from 0 up to 1 that depends only on its arguments. */
export function seededRandom(...words: (string | number)[]): number {
  return hash("sha256", JSON.stringify(words), "buffer").readUIntBE(0, 6) / 2 ** 48;
}

/**
 * Decides by a hash of seed, rule, operation, key and attempt number whether a request has a fault. The order of
 * requests for different keys therefore makes no difference.
 */
export class Chaos {
  readonly #plan: ChaosPlan;
  readonly #world: ChaosActions;
  readonly #attempts = new Map<string, number>();

  constructor(plan: ChaosPlan, world: ChaosActions) {
    this.#plan = plan;
    this.#world = world;
  }

  /** All faults for this request, combined into one. Counts the attempt. */
  find(request: RawRequest, operation: Operation): Fault | undefined {
    const lane = laneOf(request);
    const counted = JSON.stringify([operation, request.bucket, request.key, lane]);
    const attempt = (this.#attempts.get(counted) ?? 0) + 1;
    this.#attempts.set(counted, attempt);
    let found: Fault | undefined;
    for (const [index, { match = {}, share, fault }] of this.#plan.rules.entries()) {
      if (match.operation !== undefined && match.operation !== operation) continue;
      if (match.key !== undefined && match.key !== request.key) continue;
      if (match.nth !== undefined && match.nth !== attempt) continue;
      if (match.first !== undefined && attempt > match.first) continue;
      const roll = (what: string) => seededRandom(this.#plan.seed, index, what, operation, request.key, lane, attempt);
      if (roll("whether") < share) found = { ...found, ...this.#act(fault, request, roll("where")) };
    }
    return found;
  }

  /** @param where position of the fault, 0 to 1 */
  #act(fault: ChaosFault, request: RawRequest, where: number): Fault {
    const { bucket, key } = request;
    switch (fault.kind) {
      case "overwritten":
        return { run: () => this.#world.overwrite(bucket, key, `${this.#plan.seed} ${where}`) };
      case "deleted":
        return { run: () => this.#world.remove(bucket, key) };
      case "added":
        return { run: () => this.#world.overwrite(bucket, besideKey(key), `${this.#plan.seed} ${where}`) };
      case "key revoked":
        return { run: () => this.#world.revoke(accessKeyOf(request)) };
      default:
        return answerOf(fault, request, where);
    }
  }
}

const LONGEST_KEY = 1_024;

type AnswerFault = Exclude<ChaosFault, { kind: "overwritten" | "deleted" | "added" | "key revoked" }>;

function answerOf(fault: AnswerFault, request: RawRequest, where: number): Fault {
  const at = (length: number) => Math.floor(where * length);
  const alter = (makeFault: (length: number) => ResponseFault): Fault => ({
    responseFaultFor: (reply) => makeFault(replyLength(reply)),
  });
  switch (fault.kind) {
    case "reset":
      return { resetBefore: true };
    case "reset in body":
      return alter((length) => ({ cutAfter: at(length), reset: true }));
    case "silence":
      return { stall: fault.milliseconds };
    case "head in pieces":
      return { responseFaultFor: () => ({ headCut: { where, milliseconds: fault.milliseconds } }) };
    case "silence in body":
      return alter((length) => ({ stallAfter: at(length), stallFor: fault.milliseconds }));
    case "status": {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      return { status: fault.status, code: fault.code, headers };
    }
    case "flipped bit":
      return alter((length) => (length === 0 ? {} : { flipByte: at(length) }));
    case "wrong length":
      return { wrongLength: fault.by };
    case "short without length":
      return alter((length) => ({ cutAfter: at(length), withoutLength: true }));
    case "truncated":
      return alter((length) => ({ wrongLength: at(length) - length }));
    case "html":
      return { body: "<html><body>Down for maintenance</body></html>" };
    case "nothing":
      return { body: "", contentType: "application/xml" };
    case "json":
      return { body: '{"objects":[]}', contentType: "application/json" };
    case "error in 200":
      return {
        body: '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>We failed</Message></Error>',
        contentType: "application/xml",
      };
    case "repeated token":
      return { rewrite: (reply) => repeatToken(reply, request.query.get("continuation-token")) };
    case "content-encoding gzip":
      return { headers: { "content-encoding": "gzip" } };
  }
}

function repeatToken(reply: Reply, token: string | undefined): void {
  if (token === undefined || !Buffer.isBuffer(reply.body)) return;
  const again = `<NextContinuationToken>${token}</NextContinuationToken>`;
  reply.body = Buffer.from(
    reply.body.toString("utf8").replace(/<NextContinuationToken>[^<]*<\/NextContinuationToken>/, again),
  );
  delete reply.headers["content-length"];
}

/** Distinguishes requests of one operation and key that are not retries: pages, and ranges by their end. */
function laneOf({ query, headers }: RawRequest): string {
  const page = query.get("continuation-token") ?? query.get("marker") ?? query.get("partNumber") ?? "";
  return `${page} ${/-(\d*)$/.exec(headers.range ?? "")?.[1] ?? ""}`;
}

const accessKeyOf = ({ headers }: RawRequest): string =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? "")?.[1] ?? "";

/** Another key beside a key. S3 has no keys of more than 1,024 bytes. */
function besideKey(key: string): string {
  const suffix = ".added";
  const isTooLong = Buffer.byteLength(key + suffix) > LONGEST_KEY;
  return (isTooLong ? key.slice(0, -suffix.length).toWellFormed() : key) + suffix;
}
