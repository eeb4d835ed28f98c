/** Whose turn it is. */
export type Fault = "submitter" | "source" | "service" | "operator";

/** What is known of a code before it happens. */
export interface Entry {
  readonly fault: Fault;
  /** HTTP status when the code is the answer to a request; absent for codes that only appear inside answers. */
  readonly status?: number;
  readonly title: string;
  /** What the person at fault can do about it. */
  readonly action: string;
  /** True when the same attempt may succeed later without anybody changing anything. */
  readonly retryable?: true;
}
