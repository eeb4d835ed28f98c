import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LOGS_MANIFEST, readLogsManifest } from "../logs-manifest.ts";
import { digestFile } from "./content-check.ts";
import type { Findings } from "./findings.ts";
import type { InventoryFacts } from "./inventory-survey.ts";
import { entriesOf, walk } from "./walk.ts";

const RECEIPT = "receipt.jws";
/** Some hundred lines at most; what is larger is none. */
const MANIFEST_BYTES = 1 << 20;

/**
 * Checks the logs that this archive writes beside each version (docs/package-format.md, “Outside the versions”): every
 * file that their manifest names is there and has its digest, and no other lies there. OCFL says nothing about logs, so
 * the codes are this archive's own: EL01 changed, EL02 missing, EL03 one too many, EL04 no manifest, WL01 no logs at all
 * (they may be left out when a dataset is handed on). Logs of other writers are none of its business.
 */
export async function checkLogs(
  folder: string,
  facts: InventoryFacts,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  let areOurs = false;
  for (const version of facts.versions.keys()) {
    const logs = `logs/${version}`;
    const found = new Set<string>();
    for await (const { path, kind } of walk(join(folder, logs))) if (kind === "file") found.add(path);
    if (found.has(RECEIPT) || found.has(LOGS_MANIFEST)) {
      areOurs = true;
      await checkVersionLogs(folder, logs, found, findings, signal);
      await checkReceiptsInventory(folder, version, findings);
    } else if (facts.contents.has(`${version}/${facts.contentDirectory}/metadata/source-manifest.jsonl`)) {
      findings.add("WL01", logs, "The receipt and the other logs of this version are not there");
    }
  }
  if (!areOurs) return;
  for await (const { name } of entriesOf(join(folder, "logs"))) {
    if (!facts.versions.has(name)) findings.add("EL03", `logs/${name}`, "It belongs to no version");
  }
}

async function checkVersionLogs(
  folder: string,
  logs: string,
  found: ReadonlySet<string>,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  const manifest = `${logs}/${LOGS_MANIFEST}`;
  const digests = await readManifest(join(folder, manifest));
  if (digests === undefined) {
    const why = found.has(LOGS_MANIFEST) ? "is not of its form" : "is missing";
    return findings.add("EL04", manifest, `The manifest of the logs ${why}`);
  }
  for (const [name, wanted] of digests) {
    const path = `${logs}/${name}`;
    if (!found.has(name)) {
      findings.add("EL02", path, `The file is missing; ${manifest} names it`);
      continue;
    }
    signal?.throwIfAborted();
    const digest = await digestFile(join(folder, path), "sha512").then(
      (real) => real.digest,
      (error: NodeJS.ErrnoException) => error.code ?? "unreadable",
    );
    if (digest !== wanted) findings.add("EL01", path, `The sha512 is ${digest}, ${manifest} says ${wanted}`);
  }
  for (const name of found) {
    if (digests.has(name) || name === LOGS_MANIFEST) continue;
    findings.add("EL03", `${logs}/${name}`, `The file is not in ${manifest}`);
  }
}

/** OCFL only advises a version to have an inventory; a receipt is about that very file. */
async function checkReceiptsInventory(folder: string, version: string, findings: Findings): Promise<void> {
  const path = `${version}/inventory.json`;
  if ((await stat(join(folder, path)).catch(() => undefined)) !== undefined) return;
  findings.add("EL02", path, "The file is missing; the receipt speaks of it");
}

async function readManifest(file: string): Promise<Map<string, string> | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > MANIFEST_BYTES) return undefined;
  return readLogsManifest(await readFile(file, "utf8").catch(() => ""));
}
