import { globSync } from "node:fs";

/**
 * The files of each kind of extended tests, by the beginning of their paths; the first kind that matches counts. `requests`
 * has all others.
 */
const folders = {
  bench: ["tests/project/bench"],
  docs: ["tests/project/", "tests/cli/npm-scripts", "tests/notifications/webhook-docs", "tests/api/openapi-examples"],
  servers: ["tests/transfer/ceph", "tests/operations/", "tests/security/guard-namespace"],
  page: ["tests/page/", "tests/site/pages", "tests/api/cross-origin"],
  faults: ["tests/faults/", "tests/archive/", "tests/transfer/", "tests/versions/", "src/", "packages/"],
  requests: ["tests/"],
} as const;

type FileKind = keyof typeof folders;
export type Kind = FileKind | "accessibility" | "postgres";

/** The kind of the extended tests of a file. */
function kindOf(file: string): FileKind {
  const kinds = Object.keys(folders) as FileKind[];
  return kinds.find((kind) => folders[kind].some((beginning) => file.startsWith(beginning))) ?? "requests";
}

const files = globSync("{src,packages,tests}/**/*.test.ts", { exclude: ["**/node_modules/**"] });
const filesOf = (kind: FileKind) => files.filter((file) => kindOf(file) === kind);
const extended = (kind: FileKind) => ["--project", "!postgres*", "--tags-filter", "extended", ...filesOf(kind)];

/**
 * Arguments of Vitest for each kind. Each ends within ten minutes on two quiet cores. `accessibility` repeats the tests of
 * the page that `npm test` runs, and checks every state.
 */
export const kinds: Record<Kind, readonly string[]> = {
  faults: extended("faults"),
  requests: extended("requests"),
  page: extended("page"),
  accessibility: ["--project", "page", "--tags-filter", "!extended"],
  postgres: ["--project", "postgres-extended"],
  servers: extended("servers"),
  docs: extended("docs"),
  bench: extended("bench"),
};
