import type { Attributes } from "./dois.ts";

/** What goes wrong with a request. */
export type Fault =
  /** Closes the connection before anything is stored. */
  | { closeBefore: true }
  /** Stores the change, and closes the connection without a response: a time-out after the commit. */
  | { closeAfter: true }
  /** Stores the change, and never responds. */
  | { hangAfter: true }
  /** Responds with this status instead; nothing is stored. The body is JSON:API errors unless it is stated. */
  | { status: number; body?: string; contentType?: string; headers?: Record<string, string> }
  /** Stores the attributes, and ignores the event without an error. */
  | { ignoreEvent: true }
  /** The handle is registered later (milliseconds), or never. */
  | { registration: number | "never" }
  /** Changes the attributes of the response. */
  | { rewrite: (attributes: Attributes) => Attributes }
  /** Sends a body that never ends. */
  | { endless: true };

/** The requests that have a fault. */
export interface FaultMatch {
  method?: string;
  /** In any case. */
  doi?: string;
}

/** A fault, and for how many of the next matching requests. */
export interface FaultRule {
  match?: FaultMatch;
  /** The default is 1. */
  times?: number;
  fault: Fault;
}

/** The faults that a test has ordered. */
export class Faults {
  #rules: Required<FaultRule>[] = [];

  /** Orders a fault. @returns a function that removes it */
  add({ match = {}, times = 1, fault }: FaultRule): () => void {
    const rule = { match, times, fault };
    this.#rules.push(rule);
    return () => {
      this.#rules = this.#rules.filter((one) => one !== rule);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault of a request, which then counts; undefined for none. */
  take(method: string, doi: string | undefined): Fault | undefined {
    const rule = this.#rules.find(
      ({ match }) =>
        (match.method === undefined || match.method === method) &&
        (match.doi === undefined || match.doi.toLowerCase() === doi),
    );
    if (rule === undefined) return undefined;
    rule.times -= 1;
    if (rule.times <= 0) this.#rules = this.#rules.filter((one) => one !== rule);
    return rule.fault;
  }
}
