import { MIB } from "./cases.ts";
import type { Measured, ThreadSeconds } from "./measure.ts";
import type { Bucket } from "./source.ts";
import { ACCESSION, type Figure, SHOWN, type Target } from "./targets.ts";

/** A run of a contestant. */
export interface Run extends Measured {
  /** Of the service only. */
  threads?: ThreadSeconds;
  workload: string;
  contestant: string;
  round: number;
}

/** The ratio of Accession’s median to that of another contestant, and whether it meets the target. */
export interface Ratio {
  workload: string;
  figure: Figure;
  against: string;
  ratio: number;
  most: number | null;
  met: boolean | null;
}

/** Threads of the service: the title of their column, and their name in the operating system. */
const THREADS = [
  ["transfer", "transfer"],
  ["hashing", "hashing"],
  ["main", "MainThread"],
  ["database", "embedded databa"],
  ["V8 (GC, JIT)", "V8Worker"],
] as const;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value below which this share of the values is, such as 0.95. */
export function atShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Medians of a case, with a row for each contestant. */
export function medians(bucket: Bucket, runs: readonly Run[]): Record<string, string>[] {
  const own = runs.filter(({ workload }) => workload === bucket.workload.name);
  return [...new Set(own.map(({ contestant }) => contestant))].map((contestant) => {
    const of = (figure: keyof Measured) => median(figures(own, contestant, figure));
    return {
      case: bucket.workload.title,
      contestant,
      seconds: of("seconds").toFixed(2),
      "objects/s": Math.round(bucket.objects / of("seconds")).toLocaleString("en-US"),
      "MiB/s": (bucket.bytes / MIB / of("seconds")).toFixed(1),
      "CPU s": of("cpuSeconds").toFixed(2),
      "peak MiB": of("peakMib").toFixed(0),
    };
  });
}

export function ratios(workload: string, runs: readonly Run[], targets: readonly Target[]): Ratio[] {
  const own = runs.filter((run) => run.workload === workload);
  const took = new Set(own.map(({ contestant }) => contestant));
  if (!took.has(ACCESSION)) return [];
  return SHOWN.filter(({ against }) => took.has(against)).map(({ figure, against }) => {
    const ratio = median(figures(own, ACCESSION, figure)) / median(figures(own, against, figure));
    const target = targets.find((one) => one.workload === workload && one.figure === figure && one.against === against);
    const most = target?.most ?? null;
    return { workload, figure, against, ratio, most, met: most === null ? null : ratio <= most };
  });
}

/** Medians of the CPU time per object of each thread of the service (µs), with a row for each case and contestant. */
export function threadRows(bucket: Bucket, runs: readonly Run[]): Record<string, string>[] {
  const own = runs.filter(({ workload, threads }) => workload === bucket.workload.name && threads !== undefined);
  return [...new Set(own.map(({ contestant }) => contestant))].map((contestant) => {
    const all = own.filter((run) => run.contestant === contestant).map(({ threads = {} }) => threads);
    const of = (name: string) => median(all.map((threads) => threads[name] ?? 0));
    const cells = THREADS.map(([title, name]) => [title, ((of(name) / bucket.objects) * 1e6).toFixed(0)]);
    return { case: bucket.workload.title, "CPU µs/object": contestant, ...Object.fromEntries(cells) };
  });
}

/** A ratio as a line of the table. */
export function ratioRow({ workload, figure, against, ratio, most, met }: Ratio): Record<string, string> {
  return {
    case: workload,
    ratio: `${figure === "seconds" ? "time" : "CPU"} accession / ${against}`,
    found: ratio.toFixed(2),
    target: most === null ? "" : `≤ ${most.toFixed(2)}`,
    "": met === null ? "" : met ? "met" : "NOT MET",
  };
}

/** Formats rows as a text table with titles. Numbers are right-aligned, words left-aligned. */
export function table(rows: readonly Record<string, string>[]): string {
  const titles = Object.keys(rows[0] ?? {});
  const columns = titles.map((title) => {
    const cells = rows.map((row) => row[title] ?? "");
    const width = Math.max(title.length, ...cells.map((cell) => cell.length));
    const isNumber = cells.every((cell) => /^[\d.,]*$/.test(cell));
    const pad = (text: string) => (isNumber ? text.padStart(width) : text.padEnd(width));
    return [title, ...cells].map(pad);
  });
  const lines = [titles, ...rows].map((_, line) => columns.map((cells) => cells[line] ?? "").join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function figures(runs: readonly Run[], contestant: string, figure: keyof Measured): number[] {
  return runs.filter((run) => run.contestant === contestant).map((run) => run[figure]);
}
