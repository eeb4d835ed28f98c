/**
 * `npm run test:extended -- KIND…` runs the extended tests of these kinds, one kind after the other; without a kind, all.
 * tests/README.md says which kind belongs to which module.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The files of each kind of extended tests, by the beginning of their paths. The first kind that matches counts;
 * the files that match none are of the kind `requests`.
 */
const folders = {
  bench: ["tests/project/bench"],
  docs: ["tests/project/", "tests/cli/npm-scripts", "tests/notifications/webhook-docs", "tests/api/openapi-examples"],
  servers: ["tests/transfer/ceph", "tests/operations/", "tests/security/guard-namespace"],
  "page-form": ["tests/page/new", "tests/page/edit-metadata", "tests/page/metadata-journey"],
  "page-dataset": ["dataset", "publication", "access", "reviewer", "doi", "compare"].map(
    (name) => `tests/page/${name}`,
  ),
  page: ["tests/page/", "tests/site/pages", "tests/api/cross-origin", "web/"],
  sweeps: ["tests/faults/crash-sweep", "tests/faults/other-archive"],
  faults: ["tests/faults/"],
  archive: ["tests/archive/", "packages/ocfl/"],
  versions: ["tests/versions/"],
  transfer: ["tests/transfer/", "src/", "packages/"],
  publication: ["tests/publication/", "tests/catalogue/", "tests/site/"],
  requests: [],
} satisfies Record<string, string[]>;

type FileKind = keyof typeof folders;
type Kind = FileKind | "accessibility" | "postgres";

/** The kind of the extended tests of a file. */
function kindOf(file: string): FileKind {
  const kinds = Object.keys(folders) as FileKind[];
  return kinds.find((kind) => folders[kind].some((beginning) => file.startsWith(beginning))) ?? "requests";
}

const files = globSync("{src,web/src,packages,tests}/**/*.test.ts", { exclude: ["**/node_modules/**"] });
const filesOf = (kind: FileKind) => files.filter((file) => kindOf(file) === kind);
const extended = (kind: FileKind) => ["--project", "!postgres*", "--tags-filter", "extended", ...filesOf(kind)];

/** Arguments of Vitest. `accessibility` repeats the tests of the page that `npm test` runs, and checks every state. */
const kinds: Record<Kind, readonly string[]> = {
  faults: extended("faults"),
  sweeps: extended("sweeps"),
  archive: extended("archive"),
  versions: extended("versions"),
  transfer: extended("transfer"),
  publication: extended("publication"),
  requests: extended("requests"),
  page: extended("page"),
  "page-form": extended("page-form"),
  "page-dataset": extended("page-dataset"),
  accessibility: ["--project", "page", "--tags-filter", "!extended"],
  postgres: ["--project", "postgres-extended"],
  servers: extended("servers"),
  docs: extended("docs"),
  bench: extended("bench"),
};

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const names = Object.keys(kinds) as Kind[];
const asked = process.argv.slice(2).flatMap((argument) => names.filter((name) => name === argument));
if (asked.length < process.argv.length - 2) {
  console.error(`Usage: npm run test:extended -- [${names.join(" | ")}]…`);
  process.exit(2);
}

const failed = (asked.length === 0 ? names : asked).filter((kind) => {
  const begun = Date.now();
  const { status } = spawnSync(process.execPath, [vitest, "run", ...kinds[kind]], {
    stdio: "inherit",
    env: { ...process.env, EXTENDED: kind },
  });
  console.log(
    `${kind}: ${status === 0 ? "passed" : "failed"} in ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`,
  );
  return status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
