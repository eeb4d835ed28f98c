import { type Showable, type Shown, show } from "./text.ts";

/** What the program's end says: 1 the work failed, 2 wrong usage, 3 the service cannot be reached (CONTRACT 6). */
type ExitCode = 1 | 2 | 3;

/** Ends the program with a sentence, or several lines, instead of a stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly lines: Shown[];
  /** For `--json` and pipes, where standard output speaks JSON. */
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

/** Thrown when the work failed and everything about it has been said. */
export class Unsuccessful extends Failure {
  constructor() {
    super(1, []);
  }
}

/** Ctrl-C, as shells count it: 128 and the signal's number. */
export const INTERRUPTED = 130;

/** The code or, failing that, the words of whatever was thrown. */
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
