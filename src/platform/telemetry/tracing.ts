/** Attributes of a span. They never contain an object key, a secret, a title or an owner. */
export type Attributes = Record<string, string | number | boolean>;

/** A span of a trace. */
export interface Span {
  /** Runs `work` within the span: spans started by it, also asynchronously, are its children. */
  around<T>(work: () => T): T;
  note(attributes: Attributes): void;
  /** @param failure a code or the name of an error, if it failed; never a message, which may quote a key */
  end(failure?: string): void;
}

/** The start of a span. */
export interface Beginning {
  name: string;
  /** An incoming request, or a job from a queue; otherwise a child of the current span. */
  kind?: "server" | "consumer";
  /** The parent, if it is in another process or has ended: a `traceparent` of W3C Trace Context. */
  parent?: string | undefined;
  attributes?: Attributes;
}

/** Traces of what this process does. */
export interface Tracing {
  begin(beginning: Beginning): Span;
  /** Adds attributes to the current span. */
  note(attributes: Attributes): void;
  /**
   * The `traceparent` of the request that caused the current work, also after days and in other processes: queued jobs
   * carry it.
   */
  origin(): string | undefined;
  /** Sends the remaining spans, within seconds. */
  close(): Promise<void>;
}

const noSpan: Span = { around: (work) => work(), note: () => undefined, end: () => undefined };

/** Used if tracing is off. */
export const noTracing: Tracing = {
  begin: () => noSpan,
  note: () => undefined,
  origin: () => undefined,
  close: async () => undefined,
};

/** Runs work within a new span. */
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

/** A name of the failure: the code of a problem or of a system error, or the name of the error. */
export function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name);
}

/** The collector and the sampling of traces. Other environment variables of OpenTelemetry are read by its exporter. */
export interface TracesPlan {
  /** The collector's URL with its path. It may contain a password. */
  url: string;
  /** The fraction of traces that are sent. With `parentBased`, traces that began elsewhere follow the decision made there. */
  sampler: { parentBased: boolean; ratio: number };
}
