import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkRoot } from "../../../src/archive/validation/check-root.ts";
import type { Violation } from "../invariants/invariants.ts";

/**
 * Runs the service's validator on the archive and reports all findings, including warnings, as violations. The invariants
 * are checked without code of the service; this check covers the validator itself.
 *
 * @param archive the folder that contains `ocfl/`; without `ocfl/`, there are no violations
 */
export async function validateArchive(archive: string): Promise<Violation[]> {
  const root = join(archive, "ocfl");
  if (!existsSync(join(root, "0=ocfl_1.1"))) return [];
  const { findings } = await checkRoot(root);
  return findings.map(({ code, path, detail }) => ({
    invariant: "files and inventory agree",
    detail: `the validator: ${code} ${path}: ${detail}`,
  }));
}
