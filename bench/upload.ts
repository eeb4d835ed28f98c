/** `npm run bench:upload`: sends files by page and by command, and with the clients and servers of others; see README.md. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { generate } from "../packages/s3-test-server/src/index.ts";
import { noChromium } from "../tests/support/page/browser.ts";
import { GIB, KIB, MIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import {
  flushWrites,
  RequirementError,
  readArguments,
  readCount,
  requirePrograms,
  run,
  workFolder,
} from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { removeTargets, withTarget } from "./support/target.ts";
import { runCommand, runPage } from "./upload/own.ts";
import { runRclone, runTus, runTusInPage, type SentFolder, type UploadRun } from "./upload/peers.ts";

const ROUNDS = 3;
/** Target; see README.md. */
const MOST_RATIO = 1;
/** Target: the memory of the service grows at most by this factor if a file is ten times as large. */
const MOST_GROWTH = 1.15;

interface Case {
  name: string;
  title: string;
  files: number;
  bytes: number;
}

type Runner = (sent: SentFolder, target: string) => Promise<UploadRun>;
const COMMAND = "accession upload";
const PAGE = "page";
const RCLONE = "rclone to WebDAV";
const TUS = "tus reference";
const TUS_IN_PAGE = "tus reference in Chromium";
/** By the name that `--only` uses. */
const CONTESTANTS: Record<string, [title: string, Runner]> = {
  rclone: [RCLONE, runRclone],
  tus: [TUS, runTus],
  "tus-page": [TUS_IN_PAGE, runTusInPage],
  accession: [COMMAND, runCommand],
  page: [PAGE, runPage],
};
/** The ratios that have a target: a contestant and a peer. */
const PAIRS = [
  [COMMAND, RCLONE],
  [COMMAND, TUS],
  [PAGE, RCLONE],
  [PAGE, TUS_IN_PAGE],
] as const;

interface Result extends UploadRun {
  case: string;
  contestant: string;
}

await run(async () => {
  const { texts, flags, words } = readArguments(["runs", "work", "only"], ["smoke"]);
  requirePrograms("rclone");
  if (noChromium)
    throw new RequirementError("Chromium is missing: apt-get install -y --no-install-recommends chromium");
  const isSmoke = flags.smoke === true;
  const rounds = readCount("runs", texts.runs, isSmoke ? 1 : ROUNDS);
  const only = texts.only?.split(",") ?? Object.keys(CONTESTANTS);
  if (only.some((name) => !(name in CONTESTANTS)))
    throw new RequirementError(`The contestants are ${Object.keys(CONTESTANTS).join(", ")}`);
  const chosen = Object.entries(CONTESTANTS).flatMap(([name, contestant]) => (only.includes(name) ? [contestant] : []));
  const work = workFolder(texts.work);
  const all: Case[] = [
    { name: "small", title: "20,000 × 4 KiB", files: isSmoke ? 30 : 20_000, bytes: 4 * KIB },
    { name: "medium", title: "1 × 1 GiB", files: 1, bytes: isSmoke ? 10 * MIB : GIB },
    { name: "large", title: "1 × 10 GiB", files: 1, bytes: isSmoke ? 20 * MIB : 10 * GIB },
  ];
  const cases = words.length === 0 ? all : all.filter(({ name }) => words.includes(name));
  if (cases.length === 0) throw new RequirementError("The cases are small, medium and large");
  const results: Result[] = [];
  for (const one of cases) {
    const folder = await filled(join(work, `upload-${one.name}-${one.files}-${one.bytes}`), one);
    // One file of 10 GiB in a browser takes minutes for the hash alone, which bench:compare measures.
    const isSmall = one.name === "small";
    const runners = chosen.filter(([name]) => isSmall || ![PAGE, TUS_IN_PAGE].includes(name));
    for (let round = 0; round < rounds; round++) {
      for (const [contestant, runner] of round % 2 === 0 ? runners : runners.toReversed()) {
        flushWrites(work);
        const found = await withTarget(work, (target) => runner({ ...one, folder }, target));
        results.push({ case: one.title, contestant, ...found });
        process.stderr.write(`${one.title}, ${contestant}: ${found.seconds.toFixed(2)} s\n`);
      }
    }
  }
  console.log(table(cases.flatMap((one) => rows(one, results))));
  const verdicts = [...cases.flatMap((one) => ratios(one, results)), ...growth(cases, results)];
  console.log(`\n${table(verdicts.map(({ cells }) => cells))}`);
  console.log(`\n${writeResults("upload", { rounds, runs: results })}`);
  if (!isSmoke && verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
  removeTargets(work);
});

/** A folder with files without a pattern, which is generated once. */
async function filled(folder: string, { files, bytes }: Case): Promise<string> {
  if (existsSync(folder)) return folder;
  const passing = `${folder}.new`;
  rmSync(passing, { recursive: true, force: true });
  for (let i = 0; i < files; i++) {
    const file = join(passing, `folder-${i % 20}`, `file-${i}`);
    mkdirSync(dirname(file), { recursive: true });
    if (bytes < MIB) await writeFile(file, Buffer.concat([...generate(`${i}`, 0, bytes)]));
    else await writeLarge(file, bytes);
  }
  renameSync(passing, folder);
  return folder;
}

async function writeLarge(file: string, bytes: number): Promise<void> {
  const handle = await open(file, "w");
  const piece = Buffer.alloc(4 * MIB, createHash("sha512").update(file).digest());
  for (let at = 0; at < bytes; at += piece.length) {
    piece.writeUInt32LE(at / piece.length);
    await handle.write(piece, 0, Math.min(piece.length, bytes - at));
  }
  await handle.close();
}

function medianOf(results: readonly Result[], title: string, contestant: string, figure: keyof UploadRun): number {
  return median(results.filter((one) => one.case === title && one.contestant === contestant).map((one) => one[figure]));
}

function contestantsOf(results: readonly Result[], title: string): string[] {
  return [...new Set(results.filter((one) => one.case === title).map(({ contestant }) => contestant))];
}

function rows({ title, files, bytes }: Case, results: readonly Result[]): Record<string, string>[] {
  return contestantsOf(results, title).map((contestant) => {
    const of = (figure: keyof UploadRun) => medianOf(results, title, contestant, figure);
    const isKnown = !Number.isNaN(of("cpuSeconds"));
    return {
      case: title,
      contestant,
      seconds: of("seconds").toFixed(2),
      "sync s": of("syncSeconds").toFixed(2),
      "files/s": (files / of("seconds")).toFixed(1),
      "MiB/s": ((files * bytes) / MIB / of("seconds")).toFixed(1),
      "client CPU s": isKnown ? of("cpuSeconds").toFixed(2) : "",
      "server peak MiB": of("serverMib").toFixed(0),
    };
  });
}

function ratios({ title }: Case, results: readonly Result[]) {
  const found = contestantsOf(results, title);
  const times = PAIRS.filter((pair) => pair.every((name) => found.includes(name))).map(([own, peer]) => {
    const ratio = medianOf(results, title, own, "seconds") / medianOf(results, title, peer, "seconds");
    return verdict(`time ${own} / ${peer}`, ratio.toFixed(2), ratio <= MOST_RATIO, `≤ ${MOST_RATIO.toFixed(2)}`);
  });
  return times.map(({ cells, isMet }) => ({ cells: { case: title, ...cells }, isMet }));
}

/** Compares the memory that the service needed for two files of different sizes, if both were sent. */
function growth(cases: readonly Case[], results: readonly Result[]) {
  const [medium, large] = ["medium", "large"].map((name) => cases.find((one) => one.name === name)?.title);
  if (medium === undefined || large === undefined) return [];
  const factor = medianOf(results, large, COMMAND, "serverMib") / medianOf(results, medium, COMMAND, "serverMib");
  const { cells, isMet } = verdict(
    "memory of the service, 10 GiB / 1 GiB",
    factor.toFixed(2),
    factor <= MOST_GROWTH,
    `≤ ${MOST_GROWTH}`,
  );
  return [{ cells: { case: large, ...cells }, isMet }];
}

function verdict(figure: string, found: string, isMet: boolean, target: string) {
  return { cells: { figure, found, target, "": isMet ? "met" : "NOT MET" }, isMet };
}
