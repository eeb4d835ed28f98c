import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { isInstalled } from "./program.ts";

/** Describes the machine that the results come from. */
export function machine(): Record<string, string | number | null> {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    nginx: firstLine("nginx", "-v"),
    rclone: firstLine("rclone", "version"),
    s5cmd: firstLine("s5cmd", "version"),
    date: new Date().toISOString(),
  };
}

/** Writes the results of a benchmark to `bench/results/`, and returns the path of the file. */
export function writeResults(benchmark: string, found: object): string {
  const folder = join(import.meta.dirname, "../results");
  mkdirSync(folder, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const file = join(folder, `${stamp}-${benchmark}.json`);
  writeFileSync(file, `${JSON.stringify({ benchmark, machine: machine(), ...found }, undefined, 2)}\n`);
  return file;
}

/** nginx prints its version on standard error. */
function firstLine(program: string, argument: string): string | null {
  if (!isInstalled(program)) return null;
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: "utf8" });
  return (stdout || stderr).split("\n")[0] ?? null;
}
