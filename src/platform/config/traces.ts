import { oneOf, SettingError } from "./parse.ts";
import { readValue, type Setting } from "./setting.ts";

/** Where traces are sent, and which of them; undefined while they are off. */
export type Traces = { url: string; sampler: { parentBased: boolean; ratio: number } } | undefined;

/**
 * OpenTelemetry’s own variables (OpenTelemetry specification, “Environment Variable Specification” and “OTLP Exporter
 * Configuration”); they have no prefix of ours.
 */
export const traceSettings = [
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "none: no traces",
    meaning: "URL of the collector, such as `http://127.0.0.1:4318`; `/v1/traces` is appended.",
    secret: true,
  },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    default: "derived from the previous",
    meaning: "Complete URL for traces.",
    secret: true,
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    default: "none",
    meaning: "Headers for the collector, as `name=value,name=value`.",
    secret: true,
  },
  { name: "OTEL_SERVICE_NAME", default: "accession", meaning: "Name of the service in traces." },
  {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    default: "none",
    meaning: "Additional attributes, such as `deployment.environment.name=test`.",
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    default: "parentbased_always_on",
    meaning: "Sampler: `always_on`, `always_off` or `traceidratio`, each also with `parentbased_` before it.",
  },
  { name: "OTEL_TRACES_SAMPLER_ARG", default: "1", meaning: "Part of the traces for `traceidratio`, from 0 to 1." },
  { name: "OTEL_SDK_DISABLED", default: "false", meaning: "`true` turns traces off." },
  { name: "OTEL_TRACES_EXPORTER", default: "otlp", meaning: "`otlp`, or `none` for no traces." },
  {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    default: "http/json",
    meaning: "`http/json` or `http/protobuf`. The service always sends JSON.",
  },
] as const satisfies readonly Setting[];

type Name = (typeof traceSettings)[number]["name"];

/** Reads where traces go. @param problems takes what is wrong with it */
export function tracesOf(environment: NodeJS.ProcessEnv, problems: string[]): Traces {
  const read = (name: Name) => environment[name]?.trim() || undefined;
  const own = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const shared = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const isOff = read("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || read("OTEL_TRACES_EXPORTER") === "none";
  if (isOff || (own ?? shared) === undefined) return undefined;
  const checked = <T>(name: Name, fallback: T, parse: (text: string) => T): T =>
    readValue(environment, name, { parse, unset: () => fallback }, problems);
  checked<string>("OTEL_TRACES_EXPORTER", "otlp", oneOf("otlp"));
  checked<string>("OTEL_EXPORTER_OTLP_PROTOCOL", "", oneOf("http/json", "http/protobuf"));
  const url =
    own === undefined
      ? `${checked("OTEL_EXPORTER_OTLP_ENDPOINT", "", parseCollector).replace(/\/$/, "")}/v1/traces`
      : checked("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "", parseCollector);
  const ratio = checked("OTEL_TRACES_SAMPLER_ARG", 1, parseRatio);
  return { url, sampler: checked("OTEL_TRACES_SAMPLER", ALWAYS, (text) => parseSampler(text, ratio)) };
}

const ALWAYS = { parentBased: true, ratio: 1 };

function parseSampler(text: string, ratio: number): { parentBased: boolean; ratio: number } {
  const parentBased = text.startsWith("parentbased_");
  const roots: Record<string, number> = { always_on: 1, always_off: 0, traceidratio: ratio };
  const root = roots[parentBased ? text.slice("parentbased_".length) : text];
  if (root === undefined) throw new SettingError("is not a sampler that is offered, such as parentbased_always_on");
  return { parentBased, ratio: root };
}

function parseRatio(text: string): number {
  const ratio = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio <= 1)) throw new SettingError("is not a number from 0 to 1");
  return ratio;
}

/** Never quoted: a password may be in it. */
function parseCollector(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SettingError("is not a URL such as http://127.0.0.1:4318");
  }
  return text;
}
