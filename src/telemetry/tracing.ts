/** What is said of a span. Never a key of an object, a secret, a title or an owner. */
export type Attributes = Record<string, string | number | boolean>;

/** A piece of work that a trace shows. */
export interface Span {
  /** Does something within it: spans that begin meanwhile, also later in what was begun, are its children. */
  around<T>(work: () => T): T;
  note(attributes: Attributes): void;
  /** @param failure a code or the name of an error, where it failed: never a message, which may quote a key */
  end(failure?: string): void;
}

/** What a span is about. */
export interface Beginning {
  name: string;
  /** A request that came in, or a job from a queue; otherwise a part of the span around it. */
  kind?: "server" | "consumer";
  /** Whose child it is, where that lies in another process or time: a `traceparent` of W3C Trace Context. */
  parent?: string | undefined;
  attributes?: Attributes;
}

/** Traces of what this process does. */
export interface Tracing {
  begin(beginning: Beginning): Span;
  /** Says something of the span around whoever calls. */
  note(attributes: Attributes): void;
  /**
   * The `traceparent` of the request in whose course this is done, also after days and in other processes: what is queued
   * takes it along.
   */
  origin(): string | undefined;
  /** Sends what was not sent yet, within seconds. */
  close(): Promise<void>;
}

const noSpan: Span = { around: (work) => work(), note: () => undefined, end: () => undefined };

/** Where traces are off. */
export const noTracing: Tracing = {
  begin: () => noSpan,
  note: () => undefined,
  origin: () => undefined,
  close: async () => undefined,
};

/** Does a part of the work as a span of its own. */
export async function within<T>(
  tracing: Tracing,
  name: string,
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const span = tracing.begin({ name, attributes });
  try {
    const result = await span.around(work);
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** A name for what went wrong: the code of a problem or of a system error, or the kind of error. */
export function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name);
}

/** Where traces go, and which of them. What else OpenTelemetry reads of the environment its exporter reads itself. */
export interface TracesPlan {
  /** The collector, with its path. It may hold a password. */
  url: string;
  /** Which traces: this part of them; with `parentBased` those that began elsewhere as it was decided there. */
  sampler: { parentBased: boolean; ratio: number };
}
