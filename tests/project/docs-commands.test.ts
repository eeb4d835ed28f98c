import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programEnv } from "../support/program/program.ts";
import { lacks, skipNote } from "../support/tools.ts";

const tools = ["bash", "curl", "python3"] as const;

const root = join(import.meta.dirname, "../..");

/** A block of a page that readers run or save. */
interface Block {
  language: "sh" | "python" | "ts";
  text: string;
  /** Reason why no test runs the block. */
  notRun?: string;
  /** Test that runs the block. */
  runBy?: string;
  /** Text that a command in a separate terminal prints when the following blocks can start. */
  terminal?: string;
}

/**
 * Reads the commands of a page and the comments before them: `<!-- not run: reason -->`, `<!-- run by: test -->`,
 * `<!-- terminal: text that it prints -->`.
 */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  const found = text.matchAll(
    /(?:<!-- (not run|run by|terminal): (.*?) -->\n)?^( *)```(sh|python|ts)\n([\s\S]*?)^ *```$/gm,
  );
  return [...found].map(([, what, said, indent = "", language, body = ""]) => ({
    language: language as Block["language"],
    text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    ...(what === "not run" && { notRun: said ?? "" }),
    ...(what === "run by" && { runBy: said ?? "" }),
    ...(what === "terminal" && { terminal: said ?? "" }),
  }));
}

const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root })].map((page) => ({
  page,
  blocks: blocksOf(page),
}));
const followed = pages.filter(({ blocks }) => blocks.some(({ terminal }) => terminal !== undefined));

test("every command on a page is run here or by another test, or states why it is not run", () => {
  const others = pages.filter((page) => !followed.includes(page));
  expect(followed.length).toBeGreaterThanOrEqual(2);
  const isRun = (page: string, { runBy }: Block) =>
    runBy !== undefined && existsSync(join(root, runBy)) && readFileSync(join(root, runBy), "utf8").includes(page);
  const silent = others.flatMap(({ page, blocks }) =>
    blocks
      .filter((block) => block.notRun === undefined && !isRun(page, block))
      .map(({ text }) => `${page}: ${text.split("\n")[0]}`),
  );
  expect(silent).toEqual([]);
});

/** Copies the files that git tracks, in their current state, without build results and data. */
async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "accession-docs-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of new Set(String(listed).split("\0"))) {
    if (file === "" || !existsSync(join(root, file))) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  return folder;
}

/** Returns the folder with the installed packages for a checkout. In CI, `npm ci` installs them for a new checkout. */
async function installed(): Promise<string> {
  if (process.env.CI !== "true") return root;
  const folder = await checkout();
  execFileSync("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
  return folder;
}

/** Links the installed packages of another checkout, except for the packages of the checkout itself. */
async function install(from: string, folder: string): Promise<void> {
  const own = "@accession";
  for (const place of ["node_modules", "packages/client/node_modules"]) {
    await mkdir(join(folder, place), { recursive: true });
    for (const name of await readdir(join(from, place))) {
      if (name !== own) await symlink(join(from, place, name), join(folder, place, name));
    }
  }
  const places = join("node_modules", own);
  await mkdir(join(folder, places));
  for (const name of await readdir(join(from, places))) {
    await symlink(await readlink(join(from, places, name)), join(folder, places, name));
  }
}

/** Starts a command of a separate terminal. Resolves when it has printed the text. */
async function inTerminal(command: string, says: string, cwd: string): Promise<() => Promise<void>> {
  const env = { ...programEnv(), ACCESSION_PORT: "0" };
  const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      said += String(text);
      if (said.includes(says)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`“${command}” ended with ${code}:\n${said}`)));
  });
  return async () => {
    const gone = once(child, "exit");
    // Signals all processes of that terminal, like Ctrl-C.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    await gone;
  };
}

/** Builds the script of the second terminal: all blocks in one shell, which stops at the first error. */
function script(blocks: readonly Block[]): string {
  const lines = blocks.map(({ language, text }) => {
    if (language === "sh") return text;
    const name = /^(?:#|\/\/) (\S+\.(?:py|ts))\b/.exec(text)?.[1];
    if (name === undefined) throw new Error("The first line of a program says where to save it");
    return `cat > ${name} <<'END-OF-PROGRAM'\n${text}END-OF-PROGRAM`;
  });
  return ["set -euo pipefail", ...lines].join("\n");
}

/** Output that the second terminal must contain, in addition to running without errors. */
const seen: Record<string, RegExp[]> = {
  "docs/tutorial.md": [
    /“demo-feild-trial” does not exist on this server/,
    /"objectsStored":24/,
    /"status":"completed","attempt":1,.*"title":"Measurements of a field trial"/,
    /plot-07\.csv/,
    /@misc\{carberry20/,
    /The exit code is 1\n[\s\S]*The exit code is 1\n/,
  ],
  "docs/how-to/lab-notebook.md": [
    /accepted: [0-9a-f-]{36}\n[\s\S]*completed 24 objects\nreceipt saved as receipt\.jws/,
    /event: completed/,
    /"orcid_invalid"/,
  ],
  "docs/how-to/typescript-client.md": [
    /accepted – Accepted: [\s\S]*completed – The dataset is archived: 4 objects[\s\S]*receipt saved as receipt\.jws/,
    /[0-9a-f-]{36} 4 objects; delete the source\? yes/,
  ],
};

describe.skipIf(lacks(...tools))(`the commands of a page, run in order ${skipNote(...tools)}`, () => {
  let packages = root;
  beforeAll(async () => {
    packages = await installed();
  });
  afterAll(async () => {
    if (packages !== root) await rm(packages, { recursive: true, force: true });
  });

  test.each(followed)("$page", { tags: "extended" }, async ({ page, blocks }) => {
    const folder = await checkout();
    await install(packages, folder);
    const own = blocks.filter(({ notRun }) => notRun === undefined);
    const ends: (() => Promise<void>)[] = [];
    try {
      for (const { text, terminal } of own) {
        if (terminal !== undefined) ends.push(await inTerminal(text.trim(), terminal, folder));
      }
      const rest = own.filter(({ terminal }) => terminal === undefined);
      const child = spawn("bash", ["-c", script(rest)], {
        cwd: folder,
        env: programEnv(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (text) => {
          said += String(text);
        });
      }
      const [code] = await once(child, "exit");
      expect(code, said).toBe(0);
      const expected = seen[page] ?? [];
      expect(expected.length, "expected output of the second terminal").toBeGreaterThan(0);
      for (const words of expected) expect(said).toMatch(words);
    } finally {
      for (const end of ends) await end();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
