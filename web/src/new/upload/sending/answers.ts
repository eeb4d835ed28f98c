import { ProblemError, UnexpectedAnswerError } from "@accession/client";
import { mayUploadPass } from "../../../../../packages/rules/src/index.ts";
import { UnreadableFile } from "../../../compare/hashers.ts";

/** The error that an answer with this body states. */
export function problemIn(status: number, body: string): ProblemError | UnexpectedAnswerError {
  if (body.startsWith("{")) {
    const problem = JSON.parse(body) as ProblemError["problem"];
    if (typeof problem.code === "string") return new ProblemError(problem);
  }
  return new UnexpectedAnswerError(new Response(null, { status: Math.max(200, status) }));
}

/** Whether another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ProblemError) return mayUploadPass(error.problem);
  return !(error instanceof UnexpectedAnswerError) || mayUploadPass(error);
}

/** Whether the service has rejected the token of a request. */
export function isOfToken(error: Error): boolean {
  return error instanceof ProblemError && error.problem.status === 401;
}

/** @throws UnreadableFile if the file was changed, moved or deleted since it was chosen */
export async function requireReadable(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new UnreadableFile("The file has changed", { cause });
    });
}
