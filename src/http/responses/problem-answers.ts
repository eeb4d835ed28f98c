import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type Code, catalogue, Problem, sentence } from "../../domain/problems.ts";
import type { Server } from "../fastify.ts";
import { closeAfterAnswer } from "../lingering-close.ts";
import { sendText } from "./send-text.ts";

/** Returns the page of a problem, with its headers, for a browser that opened a public address. Undefined for programs. */
export type ProblemPage = (refused: {
  problem: Problem;
  request: FastifyRequest;
  reply: FastifyReply;
}) => Promise<string | undefined>;

/** A server without pages: browsers get what programs get. */
const NO_PAGES: ProblemPage = async () => undefined;

/** Answers every error as a problem (RFC 9457), as a page, or in plain text if the operation promises that. */
export function answerErrors(server: Server, page: ProblemPage = NO_PAGES): void {
  server.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error as FastifyError, request);
    void answer(problem, request, reply, page);
  });
  server.setNotFoundHandler((request, reply) => {
    void answer(new Problem("not_found", "This path does not exist"), request, reply, page);
  });
}

/** Answers a request whose path cannot be parsed, also as a problem. */
export function answerUnroutable(page: ProblemPage = NO_PAGES) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void answer(asProblem(error, request), request, reply, page);
  };
}

/** Headers of the content that a problem replaces. */
const OF_CONTENT = ["etag", "last-modified", "content-disposition", "link", "cache-control"];

async function answer(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  page: ProblemPage,
): Promise<void> {
  for (const name of OF_CONTENT) reply.removeHeader(name);
  // A path that cannot be parsed has bypassed the hooks.
  reply.header("x-request-id", request.id);
  if (problem.retryAfter !== undefined) reply.header("retry-after", problem.retryAfter);
  const challenge = challenges[problem.code];
  if (challenge !== undefined) reply.header("www-authenticate", challenge);
  if (problem.code === "body_too_large") closeAfterAnswer(request, reply);
  else stopReading(request, reply);
  if (request.routeOptions.config.textErrors === true) {
    await sendSentence(request, reply, problem.status, unsuccessful(problem));
    return;
  }
  const html = await page({ problem, request, reply });
  if (html !== undefined) {
    await reply.code(problem.status).send(html);
    return;
  }
  await reply.code(problem.status).type("application/problem+json").send(bodyOf(problem, request.id));
}

/**
 * Closes the connection after the answer if the body of the request was not read: an open one would continue to receive it, as slowly as
 * the client wants.
 */
export function stopReading(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
  if (hasBody && !raw.complete) closeAfterAnswer(request, reply);
}

/** The answer's body for a problem (RFC 9457). @param request the id of the request, if there is one */
export function bodyOf(problem: Problem, request?: string): object {
  return {
    type: `urn:accession:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    fault: problem.fault,
    action: problem.action,
    ...(request !== undefined && { instance: `urn:accession:request:${request}` }),
    ...(problem.errors.length > 0 && { errors: problem.errors }),
    ...problem.extra,
  };
}

/** The WWW-Authenticate header by code (RFC 6750, section 3). */
const challenges: Partial<Record<Code, string>> = {
  unauthenticated: 'Bearer realm="accession"',
  token_invalid: 'Bearer realm="accession", error="invalid_token"',
  reviewer_link_unknown: 'Bearer realm="accession reviewer link"',
  forbidden: 'Bearer realm="accession", error="insufficient_scope"',
};

/** Answers in plain text, or with a JSON string if the Accept header ranks JSON strictly above text. */
export async function sendSentence(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: string,
): Promise<void> {
  const json = prefersJson(request.headers.accept);
  reply.code(status);
  await (json
    ? sendText(reply, "application/json; charset=utf-8", JSON.stringify(text))
    : sendText(reply, "text/plain; charset=utf-8", text));
}

/** The sentence of the connection check for a request that was refused before the bucket was contacted. */
export function unsuccessful(problem: Problem): string {
  return `Connection unsuccessful: ${lowerFirst(inWords(problem))}`;
}

/** Maximum number of errors in a sentence. */
const MOST_IN_WORDS = 20;

/** Describes each error in one sentence. */
function inWords(problem: Problem): string {
  if (problem.errors.length === 0) return sentence(problem);
  const faults = problem.errors
    .slice(0, MOST_IN_WORDS)
    .map(({ pointer, detail }) => withField(pointer.slice(1).replaceAll("/", ".") || "body", detail));
  const left = problem.errors.length - faults.length;
  return left === 0 ? faults.join(" ") : `${faults.join(" ")} There are ${left} more errors.`;
}

/** An error with the name of its field, unless the text contains the name. */
function withField(field: string, detail: string): string {
  const isNamed = detail.replaceAll(" ", "").toLowerCase().includes(field.toLowerCase());
  return isNamed ? detail : `${field}: ${detail}`;
}

/** The code of a refused request; undefined for unexpected errors. */
export function codeOf(error: FastifyError): Code | undefined {
  return error instanceof Problem ? error.code : fastifyCodes[error.code ?? ""];
}

/** The operator has switched a part of the service off: a setting, and no fault. */
const NOT_IMPLEMENTED = 501;

/** Translates Fastify's errors and unexpected errors, and logs those of the service. */
export function asProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    if (error.status >= 500 && error.status !== NOT_IMPLEMENTED) request.log.error({ err: error }, "a request failed");
    return error;
  }
  const known = codeOf(error);
  if (known !== undefined) return new Problem(known, undefined, { cause: error });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem("bad_request", catalogue.bad_request.title, { cause: error });
  }
  request.log.error({ err: error }, "a request failed");
  if (isDatabaseLost(error)) return new Problem("unavailable", "The database does not answer", { cause: error });
  return new Problem("internal_error", catalogue.internal_error.title, { cause: error });
}

/**
 * Whether the connection to the database is broken. Errors of sockets to sources are Problems, so the others are the
 * database's: SQLSTATE classes 08 (connection), 57P (shutdown), 53300 (too many connections) and 25P03 (an idle
 * transaction), Node's codes, and drivers' errors that have only a message.
 */
function isDatabaseLost({ code, message }: { code?: string; message: string }): boolean {
  return (
    /^(?:08|57P)|^(?:53300|25P03|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code ?? "",
    ) ||
    /^(?:The embedded database has stopped|The database is closed|Connection terminated|Query read timeout|timeout exceeded when trying to connect|driver has already been destroyed)/.test(
      message,
    )
  );
}

const fastifyCodes: Record<string, Code> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_REQ_FILE_TOO_LARGE: "body_too_large",
  FST_FILES_LIMIT: "body_too_large",
  FST_FIELDS_LIMIT: "body_too_large",
  FST_PARTS_LIMIT: "body_too_large",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "malformed_multipart",
  FST_ERR_BAD_URL: "not_found",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
};

function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranks = accept.split(",").map((item) => {
    const [type = "", ...parameters] = item
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    return { type, q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
  });
  const rank = (types: string[]) =>
    types.map((type) => ranks.find((one) => one.type === type)?.q).find((q) => q !== undefined) ?? 0;
  return rank(["application/json", "application/*", "*/*"]) > rank(["text/plain", "text/*", "*/*"]);
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
