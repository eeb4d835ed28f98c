import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { entriesBelow } from "../entries-below.ts";
import type { Submission } from "./objects.ts";
import type { Findings, ObservedRun } from "./observed-run.ts";

const DATA_NAMES = [
  "admin-token",
  "archive",
  "database",
  "lock",
  "lock-journal",
  "lock.pid",
  "scratch",
  "secret.key",
  "signing.key",
  "uploads",
];
const ARCHIVE_NAMES = ["archive.json", "changes", "jwks.json", "ocfl", "staging"];

/** Checks that there are no unexpected files: beside the data folder, in it, in the archive, in the staging area. */
export async function checkFolders(
  world: ObservedRun,
  submissions: ReadonlyMap<string, Submission>,
  findings: Findings,
): Promise<void> {
  const archive = world.archive ?? join(world.data, "archive");
  const around = world.surroundings;
  for (const [place, known] of [
    ...(around === undefined ? [] : [[around.folder, around.names] as const]),
    [world.data, DATA_NAMES],
    [archive, ARCHIVE_NAMES],
  ] as const) {
    for (const name of await readdir(place)) {
      if (name.endsWith(".tmp")) findings.expect(false, "no orphans", `${join(place, name)} was left behind`);
      else findings.expect(known.includes(name), "no unexpected files", `${join(place, name)} is unexpected`);
    }
  }
  // No download is running any more.
  for (const name of await readdir(join(world.data, "scratch")).catch(() => [])) {
    findings.expect(false, "no orphans", `scratch/${name} was left behind`);
  }
  for (const name of await readdir(join(archive, "staging"))) {
    const owner = submissions.get(name);
    const isUsed = owner !== undefined && owner.status !== "completed" && owner.status !== "cancelled";
    findings.expect(isUsed, "no orphans", `staging/${name} belongs to ${owner?.status ?? "no submission"}`);
  }
}

/** Searches for secrets, also encoded, in every file of the data folder, in logs and in responses. */
export async function checkSecrets(world: ObservedRun, replies: readonly string[], findings: Findings): Promise<void> {
  const hidden = (holds: boolean, where: string) => findings.expect(holds, "secrets stay secret", `in ${where}`);
  const forms = world.secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("hex"),
  ]);
  for (const form of new Set(forms)) {
    hidden(!world.logs.some((log) => log.includes(form)), "a log");
    hidden(!replies.some((reply) => reply.includes(form)), "a reply");
  }
  const wanted = [...new Set(forms)].map((form) => Buffer.from(form));
  const uploads = join(world.data, "uploads");
  for (const entry of await entriesBelow(world.data)) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      // The service removes an upload soon after its submission has ended.
      if (error.code === "ENOENT" && file.startsWith(uploads)) return Buffer.alloc(0);
      throw error;
    });
    hidden(!wanted.some((form) => content.includes(form)), relative(world.data, file));
  }
}

/** Checks that the source received only GET and HEAD requests. */
export function checkHistory(world: ObservedRun, findings: Findings): void {
  for (const { method, key } of world.history) {
    findings.expect(method === "GET" || method === "HEAD", "source only read", `${method} ${JSON.stringify(key)}`);
  }
}
