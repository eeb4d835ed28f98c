import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import type { Beginning, Span, TracesPlan, Tracing } from "./tracing.ts";

/** Time limit for closing. A service that is told to stop has ten seconds in total. */
const CLOSE_MS = 2_000;
/** Minimum interval between reports about an unavailable collector. */
const SILENCE_MS = 60_000;

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const;

/** The current span, and the request that started the trace. */
interface Around {
  span: OtelSpan;
  origin: string;
}

/**
 * Traces with OpenTelemetry, sent to a collector by OTLP over HTTP. Only this module loads its packages, and it is only loaded
 * if tracing is on.
 *
 * @param failed called at most once a minute if the collector does not accept the traces
 */
export function openTelemetry(
  plan: TracesPlan,
  service: { version: string },
  failed: (reason: string) => void,
): Tracing {
  // Only the code and name of an exporter's error are reported, because its message may quote the collector’s answer or address.
  setGlobalErrorHandler(seldom((error) => failed(reasonOf(error))));
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: "accession", [ATTR_SERVICE_VERSION]: service.version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: samplerOf(plan.sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: plan.url }) })],
  });
  const tracer = provider.getTracer("accession", service.version);
  const around = new AsyncLocalStorage<Around>();

  const begin = ({ name, kind, parent, attributes = {} }: Beginning): Span => {
    const outer = kind === undefined ? around.getStore() : undefined;
    const context = outer === undefined ? contextOf(parent) : trace.setSpan(ROOT_CONTEXT, outer.span);
    const span = tracer.startSpan(name, { attributes, kind: kind ? KINDS[kind] : SpanKind.INTERNAL }, context);
    const isContinued = kind === "consumer" && trace.getSpanContext(context) !== undefined;
    const origin = outer?.origin ?? (isContinued && parent !== undefined ? parent : traceparentOf(span));
    return {
      around: (work) => around.run({ span, origin }, work),
      note: (more) => void span.setAttributes(more),
      end(failure) {
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  };
  return {
    begin,
    note: (attributes) => void around.getStore()?.span.setAttributes(attributes),
    origin: () => around.getStore()?.origin,
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch((error: unknown) => failed(reasonOf(error))), timeout]);
    },
  };
}

function samplerOf({ parentBased, ratio }: TracesPlan["sampler"]): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** The context of a `traceparent`; an empty context if it is absent or not valid. */
function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** W3C Trace Context, section 3.2. */
function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: string | number; name?: string };
  return String(code ?? name ?? "unknown");
}

function seldom<T>(tell: (told: T) => void): (told: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (told) => {
    if (performance.now() - last < SILENCE_MS) return;
    last = performance.now();
    tell(told);
  };
}
