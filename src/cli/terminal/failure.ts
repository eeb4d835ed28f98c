import type { Problem } from "../../../packages/client/src/index.ts";
import { type Showable, type Shown, show } from "./text.ts";

/** Exit codes: 1 the work failed, 2 wrong usage, 3 the service cannot be reached (docs/commands.md). */
type ExitCode = 1 | 2 | 3;

/** Ends the program with one or more lines of text instead of a stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly lines: Shown[];
  /** JSON output for `--json` and pipes. */
  readonly data: unknown;

  constructor(exitCode: ExitCode, said: Showable | Shown[], options: { data?: unknown; cause?: unknown } = {}) {
    const lines = Array.isArray(said) ? said : [show`${said}`];
    super(lines[0]?.text ?? "", options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.exitCode = exitCode;
    this.lines = lines;
    this.data = options.data;
  }
}

/** Thrown when the work failed and the output already describes the failure. */
export class Unsuccessful extends Failure {
  constructor() {
    super(1, []);
  }
}

/** The problem that the service answered; undefined for other errors. */
export function problemOf(error: unknown): Problem | undefined {
  const { problem } = ((error as Failure).data ?? {}) as { problem?: Problem };
  return problem;
}

/** Exit code after Ctrl-C, as in shells: 128 plus the signal's number. */
export const INTERRUPTED = 130;

/** Describes an error: the meaning of its system error code, or its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && code !== "" && !isOfPostgres(error)) return SPOKEN[code] ?? code;
  return typeof message === "string" && message !== "" ? message : String(error);
}

/** Errors of a PostgreSQL server have a code of five characters, and a message for people. */
function isOfPostgres(error: unknown): boolean {
  return typeof (error as { severity?: unknown }).severity === "string";
}

const SPOKEN: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "the host name cannot be resolved",
  EAI_AGAIN: "the host name cannot be resolved",
  ETIMEDOUT: "no response in time",
  UND_ERR_CONNECT_TIMEOUT: "no response in time",
  UND_ERR_HEADERS_TIMEOUT: "no response in time",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
  EEXIST: "the file already exists",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "the path is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};
