import { codeIn } from "../codes.ts";
import type { Findings } from "../findings.ts";
import type { ExpectedDigests } from "./expected-digests.ts";
import { checkSidecar, type InventoryContext, type LoadedInventory, loadInventory, typeOf } from "./inventory-check.ts";
import { versionsOf } from "./inventory-rules.ts";
import { VersionComparison } from "./version-comparison.ts";

/**
 * Checks the inventories in the versions' folders (OCFL 1.1, section 3.7). The newest must be a copy of the root
 * inventory. Each older one must be valid and agree with the newest up to its version. The digests that they state for
 * content files are added to `expectedDigests`.
 *
 * @returns the names that the content folder has in any of them, and each version's digest algorithm
 */
export async function checkVersionInventories(
  root: LoadedInventory,
  findings: Findings,
  expectedDigests: ExpectedDigests,
  context: InventoryContext,
): Promise<{ contentDirectories: Set<string>; algorithms: Map<string, string> }> {
  const { files, facts } = root;
  const contentDirectories = new Set([facts.contentDirectory]);
  const algorithms = new Map<string, string>();
  const names = versionsOf(facts);
  let comparison: VersionComparison | undefined;
  let specification = "";
  for (const name of names) {
    const path = `${name}/inventory.json`;
    const isNewest = name === names.at(-1);
    if (!(await files.has(path))) {
      // If the folder is missing too, the folder was reported.
      if (await files.hasFolder(name)) findings.add("W010", name, "The version has no inventory");
      continue;
    }
    if (isNewest) await checkNewest(root, path, findings);
    const inventory = isNewest ? root : await loadInventory(files, path, findings, { ...context, isOlder: true });
    if (inventory === undefined) continue;
    algorithms.set(name, inventory.facts.digestAlgorithm ?? "sha512");
    const typed = typeOf(inventory) ?? specification;
    if (typed < specification) {
      const code = codeIn(context.specification, "E103");
      findings.add(code, path, `The version uses OCFL ${typed}, but a previous version uses OCFL ${specification}`);
    }
    specification = typed;
    if (isNewest) continue;
    contentDirectories.add(inventory.facts.contentDirectory);
    const { head } = inventory.facts;
    if (head && head !== name) findings.add("E040", path, `“head” is not ${name}`);
    comparison ??= await VersionComparison.with(root, findings, expectedDigests, context.signal);
    await comparison.compare(inventory, context.signal);
  }
  return { contentDirectories, algorithms };
}

async function checkNewest({ files, facts }: LoadedInventory, path: string, findings: Findings): Promise<void> {
  const [own, copy] = await Promise.all(["inventory.json", path].map((file) => files.digest(file, "sha512")));
  if (own !== copy) {
    findings.add("E064", path, "The newest version's inventory is not a copy of the object's");
  }
  await checkSidecar(files, path, facts.digestAlgorithm ?? "sha512", findings);
}
