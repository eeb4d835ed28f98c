import { noTracing, type TracesPlan, type Tracing } from "./tracing.ts";

/**
 * Opens tracing if it is configured. Otherwise none of its packages is loaded.
 *
 * @param failed called at most once a minute if the collector does not accept the traces
 */
export async function openTracing(
  plan: TracesPlan | undefined,
  service: { version: string },
  failed: (reason: string) => void,
): Promise<Tracing> {
  if (plan === undefined) return noTracing;
  return (await import("./opentelemetry.ts")).openTelemetry(plan, service, failed);
}
