import { type Code, catalogue, Problem } from "../../domain/problems.ts";
import { bodyOf, unsuccessful } from "../responses/problem-answers.ts";
import { ProblemAnswer } from "../schemas.ts";
import { areShared } from "./codes.ts";
import { contentRange, retryAfter, wwwAuthenticate } from "./headers.ts";
import type { Header } from "./response-documentation.ts";
import type { Operation, Response } from "./types.ts";

/** Problem codes of a response, for programs that read the document. */
export const CODES = "x-problem-codes";

const HEADERS: Record<number, Record<string, Header>> = {
  401: { "WWW-Authenticate": wwwAuthenticate },
  403: { "WWW-Authenticate": wwwAuthenticate },
  416: { "Content-Range": contentRange },
  422: { "Retry-After": retryAfter },
  429: { "Retry-After": retryAfter },
  503: { "Retry-After": retryAfter },
};

/** Errors that occur before the request is routed. They are always problem documents, never plain text. */
const UNROUTED = new Set<Code>(["request_timeout", "headers_too_large"]);

/**
 * Adds the error responses of an operation. Responses that many operations share are added to `shared` once.
 *
 * @param asText whether the operation returns errors as one sentence of plain text
 */
export function addProblems(
  operation: Operation,
  byStatus: ReadonlyMap<number, Code[]>,
  asText: boolean,
  shared: Record<string, Response>,
): void {
  for (const [status, codes] of byStatus) {
    const own = operation.responses[status];
    const isSentence = asText && !codes.every((code) => UNROUTED.has(code));
    const response = isSentence ? sentences(status, codes) : problems(status, codes);
    if (own !== undefined) {
      own[CODES] = codes;
      own.description = `${own.description}\n\n${response.description}`;
    } else if (areShared(codes)) {
      const name = `${isSentence ? "Sentence" : ""}${codes.map(pascal).join("Or")}`;
      shared[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    } else operation.responses[status] = response;
  }
}

function problems(status: number, codes: readonly Code[]): Response {
  const examples = codes.map((code) => [code, { value: exampleOf(code) }]);
  const content = { schema: ProblemAnswer, examples: Object.fromEntries(examples) };
  return { ...frame(status, codes), content: { "application/problem+json": content } };
}

function sentences(status: number, codes: readonly Code[]): Response {
  const examples = codes.map((code) => [code, { value: unsuccessful(new Problem(code)) }]);
  const content = { schema: { type: "string" }, examples: Object.fromEntries(examples) };
  return { ...frame(status, codes), content: { "text/plain": content, "application/json": content } };
}

function frame(status: number, codes: readonly Code[]): Response {
  const lines = codes.map((code) => `- \`${code}\`: ${catalogue[code].title}.`);
  const headers = HEADERS[status];
  return {
    description: lines.join("\n"),
    ...(headers !== undefined && { headers }),
    [CODES]: codes,
  };
}

function exampleOf(code: Code): object {
  const errors = [{ pointer: "/metadata/title", code: "required" as const, detail: "This is missing." }];
  return bodyOf(new Problem(code, undefined, code === "invalid_request" ? { errors } : {}), "req-7");
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
