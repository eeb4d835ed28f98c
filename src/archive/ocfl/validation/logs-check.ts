import { join } from "node:path";
import { LOGS_MANIFEST, readLogsManifest } from "../../logs-manifest.ts";
import { entriesOf, walk } from "../walk.ts";
import { digester } from "./digests.ts";
import type { Findings } from "./findings.ts";
import type { InventoryFacts } from "./inventory-facts.ts";
import { versionsOf } from "./inventory-rules.ts";
import type { PlainFiles } from "./plain-files.ts";
import { checkReceipt, type KnownReceipts } from "./receipts-check.ts";

const RECEIPT = "receipt.jws";
/** Some hundred lines at most; what is larger is none. */
const MANIFEST_BYTES = 1 << 20;

/**
 * Checks the logs that this archive writes beside each version (docs/package-format.md, “Outside the versions”): every
 * file that their manifest names is there and has its digest, no other lies there, and the version's inventory is the one
 * that its receipt was signed for. OCFL says nothing about logs, so the codes are this archive's own: EL01 changed, EL02
 * missing, EL03 one too many, EL04 no manifest, EL05 and EL06 of receipts, WL01 no logs at all (they may be left out when a
 * dataset is handed on). Logs of other writers are none of its business.
 */
export async function checkLogs(
  files: PlainFiles,
  facts: InventoryFacts,
  findings: Findings,
  { receipts = {}, signal }: { receipts?: KnownReceipts | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let areOurs = false;
  const issued = new Set(receipts.issued?.keys());
  for (const version of versionsOf(facts)) {
    const logs = `logs/${version}`;
    const path = `${logs}/${RECEIPT}`;
    const hasReceipt = await files.has(path);
    if (hasReceipt || (await files.has(`${logs}/${LOGS_MANIFEST}`))) {
      areOurs = true;
      const named = await checkVersionLogs(files, logs, findings, signal);
      await checkReceiptsInventory(files, version, findings);
      if (hasReceipt || named.has(RECEIPT)) issued.delete(version);
      if (hasReceipt && named.get(RECEIPT) !== "changed") {
        await checkReceipt(files, { facts, version, path }, findings, receipts);
      }
    } else if (!issued.has(version) && hasManifest(facts, version)) {
      findings.add("WL01", logs, "The receipt and the other logs of this version are not there");
    }
  }
  for (const version of issued) {
    findings.add(
      "EL02",
      `logs/${version}/${RECEIPT}`,
      "The receipt is missing; the service issued one for this version",
    );
  }
  if (!areOurs) return;
  for await (const { name } of entriesOf(join(files.folder, "logs"))) {
    if (!facts.versions.has(name)) findings.add("EL03", `logs/${name}`, "It belongs to no version");
  }
}

function hasManifest({ contents, contentDirectory }: InventoryFacts, version: string): boolean {
  return contents.has(`${version}/${contentDirectory}/metadata/source-manifest.jsonl`);
}

/** What became of each file that the manifest of the logs names. */
async function checkVersionLogs(
  files: PlainFiles,
  logs: string,
  findings: Findings,
  signal?: AbortSignal,
): Promise<Map<string, "held" | "changed" | "missing">> {
  const found = new Map<string, "held" | "changed" | "missing">();
  const manifest = `${logs}/${LOGS_MANIFEST}`;
  const text = await files.text(manifest, MANIFEST_BYTES);
  const digests = text === undefined ? undefined : readLogsManifest(text);
  if (digests === undefined) {
    const why = (await files.has(manifest)) ? "is not of its form" : "is missing";
    findings.add("EL04", manifest, `The manifest of the logs ${why}`);
    return found;
  }
  for (const [name, wanted] of digests) {
    const path = `${logs}/${name}`;
    if (await files.has(path)) found.set(name, await checkLog(files, path, { wanted, manifest }, findings, signal));
    else {
      findings.add("EL02", path, `The file is missing; ${manifest} names it`);
      found.set(name, "missing");
    }
  }
  // Folders that cannot be read were named when the object's folder was gone through.
  for await (const { path, kind } of walk(join(files.folder, logs), () => undefined)) {
    if (digests.has(path) || path === LOGS_MANIFEST || (kind !== "file" && kind !== "nameless")) continue;
    findings.add("EL03", `${logs}/${path}`, `The file is not in ${manifest}`);
  }
  return found;
}

async function checkLog(
  files: PlainFiles,
  path: string,
  { wanted, manifest }: { wanted: string; manifest: string },
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<"held" | "changed"> {
  const hash = digester("sha512");
  const digest = await files
    .read(path, (piece) => hash.update(piece), signal)
    .then(
      () => hash.digest(),
      (error: NodeJS.ErrnoException) => {
        signal?.throwIfAborted();
        return error.code ?? "unreadable";
      },
    );
  if (digest === wanted) return "held";
  findings.add("EL01", path, `The sha512 is ${digest}, ${manifest} says ${wanted}`);
  return "changed";
}

/** OCFL only advises a version to have an inventory; a receipt is about that very file. */
async function checkReceiptsInventory(files: PlainFiles, version: string, findings: Findings): Promise<void> {
  const path = `${version}/inventory.json`;
  if (await files.has(path)) return;
  findings.add("EL02", path, "The file is missing; the receipt speaks of it");
}
