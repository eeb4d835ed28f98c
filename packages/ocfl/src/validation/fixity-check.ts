import { join } from "node:path";
import type { Findings } from "../findings.ts";
import { KNOWN_ALGORITHMS, malformed } from "../io/digests.ts";
import { type JsonVisitor, readJson } from "../io/read-json.ts";
import type { ExpectedDigests } from "./expected-digests.ts";
import type { LoadedInventory } from "./inventory-check.ts";
import { CONTENT, checkPath } from "./paths.ts";

/**
 * Reads an inventory's fixity block (OCFL 1.1, section 3.5.4). Its digests must have the form of their algorithm, and
 * its paths must be valid and in the manifest. Its digests are added to `expectedDigests`. Unknown algorithms are
 * skipped with a remark (W000).
 */
export async function checkFixity(
  { files, path: inventory, facts }: LoadedInventory,
  expectedDigests: ExpectedDigests,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  if (!facts.has.has("fixity")) return;
  const isKnown = (algorithm: string) => KNOWN_ALGORITHMS.includes(algorithm);
  const visitor: JsonVisitor = {
    open([member, algorithm, digest, ...rest]) {
      if (member !== "fixity" || algorithm === undefined || rest.length > 0) return;
      if (digest === undefined && !isKnown(algorithm)) {
        findings.add(
          "W000",
          inventory,
          `Fixity digests of “${algorithm}” were not checked: the algorithm is not supported`,
        );
      }
      if (digest === undefined || !isKnown(algorithm)) return;
      const code = malformed(algorithm, digest);
      if (code !== undefined)
        findings.add(code, inventory, `${digest} in the fixity block is not a ${algorithm} digest`);
    },
    value([member, algorithm = "", digest = "", ...rest], path, inArray) {
      if (member !== "fixity" || !inArray || digest === "" || rest.length > 0 || typeof path !== "string") return;
      if (!checkPath(path, CONTENT, inventory, findings)) return;
      if (!isKnown(algorithm) || malformed(algorithm, digest) !== undefined) return;
      if (!facts.contents.has(path)) {
        findings.add("E093", path, `The fixity block of ${inventory} names the file, but the manifest does not`);
      } else if (!expectedDigests.add("E093", algorithm, digest, path)) {
        findings.add(
          "E093",
          path,
          `Two different ${algorithm} digests are stated for the file; one of them is ${digest}`,
        );
      }
    },
  };
  await readJson(join(files.folder, inventory), visitor, signal);
}
