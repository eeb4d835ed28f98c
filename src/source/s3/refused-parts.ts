import type { Code, Problem } from "../../domain/problems.ts";
import { OPTIONAL_PARTS, type OptionalPart } from "./server-traits.ts";

interface Asked {
  key?: string;
  query?: readonly (readonly [string, string])[];
  headers?: Readonly<Record<string, string>>;
}

/** A response that is not 2xx. */
export interface Refusal {
  refusedWith: number;
  problem: Problem;
  /** The server's text. It is confidential. */
  message: string | undefined;
}

/** Words with which servers explain that they do not support a part of a request. */
const ABOUT_PARTS =
  /header|param|argument|query|condition|if-match|checksum|encoding-type|max-keys|not (?:yet )?(?:implemented|supported|allowed|recogni[sz]ed)|unsupported|unknown/i;
const S3_CODES_ABOUT_PARTS = new Set([
  "NotImplemented",
  "InvalidArgument",
  "InvalidRequest",
  "MethodNotAllowed",
  "BadRequest",
]);
/** Problems without a known cause. */
const UNEXPLAINED = new Set<Code>(["source_refused", "object_unreadable", "not_s3"]);

/**
 * The optional parts of a request without which it may succeed, in the order in which to try. Empty if the refusal has
 * another known cause. A mistake in the credentials is found at the listing, which is not repeated because of it.
 */
export function searchesFor(asked: Asked, refused: Refusal): OptionalPart[][] {
  if (!mayConcernPart(asked, refused)) return [];
  const names = new Set([...Object.keys(asked.headers ?? {}), ...(asked.query ?? []).map(([name]) => name)]);
  const parts = OPTIONAL_PARTS.filter((part) => names.has(part));
  if (refused.refusedWith === 412) return parts.includes("if-match") ? [["if-match"]] : [];
  const single = parts.filter((part) => part !== "list-type");
  return [...single.map((part) => [part]), ...(parts.length > 1 ? [single, parts] : [])].filter(
    (one, index, all) => one.length > 0 && all.findIndex((other) => other.join() === one.join()) === index,
  );
}

function mayConcernPart({ key }: Asked, { refusedWith, problem, message }: Refusal): boolean {
  const { s3Code } = problem.extra;
  const isNamed = ABOUT_PARTS.test(message ?? "") || (typeof s3Code === "string" && S3_CODES_ABOUT_PARTS.has(s3Code));
  switch (refusedWith) {
    case 412:
      return problem.code === "object_changed";
    case 400:
    case 405:
    case 501:
      return UNEXPLAINED.has(problem.code);
    case 403:
      // A proxy that removes or changes a signed header invalidates the signature, although listings work.
      if (problem.code === "secret_key_wrong") return key !== undefined;
      return isNamed && (problem.code === "object_denied" || problem.code === "list_denied");
    default:
      return false;
  }
}

/** The request without some of its optional parts. */
export function without<Request extends Asked>(request: Request, parts: readonly OptionalPart[]): Request {
  const isKept = ([name]: readonly [string, string]) => !(parts as readonly string[]).includes(name);
  return {
    ...request,
    ...(request.headers && { headers: Object.fromEntries(Object.entries(request.headers).filter(isKept)) }),
    ...(request.query && { query: request.query.filter(isKept) }),
  };
}
