import { type Code, Problem } from "../../../domain/problems.ts";

export const STEPS = ["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"] as const;

export type StepName = (typeof STEPS)[number];

/** What a step that did not fail found. Clients translate `detail` by these codes. */
export const NOTES = [
  ...["address_resolved", "connection_accepted", "certificate_trusted", "unencrypted"],
  ...["clocks_agree", "clocks_differ", "clock_unknown", "time_accepted"],
  ...["keys_accepted", "anonymous", "bucket_found", "bucket_empty", "prefix_unmatched"],
  ...["objects_listed", "objects_listed_partly", "listing_slow", "no_object", "names_unproven", "times_invalid"],
  ...["object_readable", "request_parts_refused", "not_reached"],
] as const;

export type Note = (typeof NOTES)[number];

/** The values in a step's `detail`. */
export interface StepValues {
  host?: string;
  addresses?: string[];
  minutes?: number;
  seconds?: number;
  limitSeconds?: number;
  prefix?: string;
  objects?: number;
  key?: string;
  parts?: string;
  region?: string;
  s3Code?: string;
}

export interface Step {
  name: StepName;
  status: "passed" | "failed" | "skipped" | "warning";
  detail: string;
  /** The code of `detail`; null where the step failed. */
  note: Note | null;
  values: StepValues;
  /** What to do; empty if nothing needs to be done. */
  hint: string;
  /** The code of the problem, if the step failed. */
  code: Code | null;
  milliseconds: number;
}

/** The steps so far. The duration of a step is the time since the previous result. */
export class Steps {
  readonly #tell: (step: Step) => void;
  readonly #steps = new Map<StepName, Step>();
  #since = performance.now();

  constructor(tell: (step: Step) => void = () => undefined) {
    this.#tell = tell;
  }

  /**
   * Performs the work of one or more steps. If it fails, the given step is marked as failed, and the error is thrown.
   *
   * @param signal ends the work, even if the work does not observe it
   */
  async attempt<T>(
    failing: StepName | ((problem: Problem) => StepName),
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await unlessAborted(signal, work());
    } catch (error) {
      const problem = asProblem(error, signal);
      const name = typeof failing === "string" ? failing : failing(problem);
      const { message: detail, action: hint, code } = problem;
      this.#set({ name, status: "failed", detail, note: null, values: valuesOf(problem), hint, code });
      throw problem;
    }
  }

  pass(name: StepName, note: Note, detail: string, values: StepValues = {}): void {
    this.#set({ name, status: "passed", detail, note, values, hint: "", code: null });
  }

  note(
    name: StepName,
    status: "skipped" | "warning",
    note: Note,
    detail: string,
    { hint = "", values = {} }: { hint?: string; values?: StepValues } = {},
  ): void {
    this.#set({ name, status, detail, note, values, hint, code: null });
  }

  /** Tells that a step takes long. Its result follows. */
  waits(name: StepName, note: Note, detail: string, values: StepValues): void {
    const milliseconds = Math.round(performance.now() - this.#since);
    this.#tell({ name, status: "warning", detail, note, values, hint: "", code: null, milliseconds });
  }

  /** All eight steps, in order. */
  all(): Step[] {
    return STEPS.map((name) => this.#steps.get(name) ?? notReached(name));
  }

  #set(known: Omit<Step, "milliseconds">): void {
    const now = performance.now();
    const step = { ...known, milliseconds: Math.round(now - this.#since) };
    this.#steps.set(known.name, step);
    this.#since = now;
    this.#tell(step);
  }
}

/** A step that the check did not reach. */
export function notReached(name: StepName): Step {
  const found = { detail: "Not reached", note: "not_reached", values: {} } as const;
  return { name, status: "skipped", ...found, hint: "", code: null, milliseconds: 0 };
}

/** What the server said about the failure. */
function valuesOf({ extra: { region, s3Code } }: Problem): StepValues {
  return {
    ...(typeof region === "string" && { region }),
    ...(typeof s3Code === "string" && { s3Code }),
  };
}

/** Rejects when the signal is aborted. A name lookup cannot be stopped, but callers need not wait for it. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function asProblem(error: unknown, signal: AbortSignal): Problem {
  if (error instanceof Problem) return error;
  if (signal.aborted) {
    return new Problem("source_timeout", "The check of the bucket did not end in time", { cause: error });
  }
  throw error;
}
