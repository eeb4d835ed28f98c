import { noTracing, type TracesPlan, type Tracing } from "./tracing.ts";

/**
 * Traces, where there is a plan for them; nothing of what they need is loaded otherwise.
 *
 * @param failed told, at most once a minute, that the collector does not take what is sent
 */
export async function openTracing(
  plan: TracesPlan | undefined,
  service: { version: string },
  failed: (reason: string) => void,
): Promise<Tracing> {
  if (plan === undefined) return noTracing;
  return (await import("./opentelemetry.ts")).openTelemetry(plan, service, failed);
}
