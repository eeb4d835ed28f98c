// Run by package.test.ts in a project that has the package installed. The README shows the same steps.
import { createHash } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  createStorageRoot,
  openInventory,
  readInventorySummary,
  readVersion,
  storageLayout,
  validateObject,
  validateStorageRoot,
  writeObjectDeclaration,
  writeSidecar,
} from "@accession/ocfl";

const root = process.argv[2];
const layout = storageLayout("0004-hashed-n-tuple-storage-layout", {
  digestAlgorithm: "sha512",
  tupleSize: 3,
  numberOfTuples: 3,
  shortObjectRoot: false,
});
await createStorageRoot(root, layout);

const id = "urn:example:greeting";
const object = join(root, layout.objectFolder(id));
const content = join(object, "v1/content/greeting.txt");
await mkdir(dirname(content), { recursive: true });
await writeFile(content, "hello");

const inventory = await openInventory(`${root}-scratch`);
const sha512 = createHash("sha512").update("hello").digest("hex");
await inventory.add({ path: "greeting.txt", contentPath: "v1/content/greeting.txt", sha512 });
const file = join(object, "inventory.json");
const written = await inventory.write(file, {
  id,
  created: "2026-01-01T00:00:00Z",
  message: "The first version",
  user: { name: "Example", address: "mailto:example@example.org" },
});
await inventory.discard();
await writeSidecar(file, written.sha512);
for (const name of ["inventory.json", "inventory.json.sha512"]) {
  await copyFile(join(object, name), join(object, "v1", name));
}
await writeObjectDeclaration(object);

const report = await validateStorageRoot(root);
const { head } = await readInventorySummary(file);
const files = [];
await readVersion(file, head, (batch) => {
  files.push(...batch);
});
const check = async (parsed, add) => {
  if (!(await parsed.files.has("logs/access.log"))) add("EX01", "logs", "There is no access log");
};
const own = await validateObject(object, { checks: { check } });
console.log(JSON.stringify({ report, head, files, ownChecks: own.findings.map(({ code }) => code) }));
