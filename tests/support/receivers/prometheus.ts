/** One value of Prometheus’ text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A metric with its description and samples. Samples of a histogram have different names. */
export interface Metric {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

/** Reads Prometheus’ text format (version 0.0.4). @throws Error if a line is invalid */
export function readMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  let last: Metric | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, about, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (about === "HELP") {
      last = { name, type: "", help: rest, samples: [] };
      metrics.set(name, last);
    } else if (about === "TYPE" && last?.name === name) last.type = rest;
    else {
      const sample = readSample(line);
      if (last === undefined || !sample.name.startsWith(last.name))
        throw new Error(`A sample without a description: ${line}`);
      last.samples.push(sample);
    }
  }
  return metrics;
}

/** The value of a sample with these labels; undefined if there is none. */
export function sampleOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const samples = [...readMetrics(text).values()].flatMap((metric) => metric.samples);
  return samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}

function readSample(line: string): Sample {
  const [, name = "", labels = "", value = ""] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  if (!/^(?:[-+]?Inf|nan|[-+]?\d.*)$/i.test(value)) throw new Error(`Not a sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
