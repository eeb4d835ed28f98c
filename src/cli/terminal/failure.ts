import { type Showable, type Shown, show } from "./text.ts";

/** Exit codes: 1 the work failed, 2 wrong usage, 3 the service cannot be reached (docs/commands.md). */
type ExitCode = 1 | 2 | 3;

/** Ends the program with one or more lines of text instead of a stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly lines: Shown[];
  /** For `--json` and pipes, where standard output is JSON. */
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

/** Exit code after Ctrl-C, as in shells: 128 plus the signal's number. */
export const INTERRUPTED = 130;

/** The system error code in words, or the message of the error. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && code !== "") return SPOKEN[code] ?? code;
  return typeof message === "string" && message !== "" ? message : String(error);
}

const SPOKEN: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  ENOTFOUND: "the name does not resolve",
  EAI_AGAIN: "the name does not resolve",
  ETIMEDOUT: "no answer in time",
  UND_ERR_CONNECT_TIMEOUT: "no answer in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  EEXIST: "it is there already",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};
