import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkRoot } from "../../../src/archive/validation/check-root.ts";
import type { Violation } from "../invariants/invariants.ts";

/**
 * What the service's own validator says of all that was published, warnings included: nothing. The invariants are checked
 * without code of the service, and the validator against fixtures of others; here the two meet.
 *
 * @param archive the folder that holds `ocfl/`; one without says nothing
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
