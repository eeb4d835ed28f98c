import { resolve } from "node:path";
import type { Command } from "commander";
import type { CopyTarget } from "../archive/copy-target.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { readSettings } from "./config.ts";
import { Failure, reasonOf, Unsuccessful } from "./failure.ts";
import { several, size } from "./numbers.ts";
import { Output } from "./output.ts";
import { show, styled } from "./text.ts";
import { addVerb, type Common } from "./verb.ts";

const MARKS = { copied: "green", skipped: "dim", damaged: "red" } as const;

/** `archive copy`: an archive into another place, every byte checked on the way. */
export function addArchive(program: Command): void {
  const archive = program.command("archive").description("copy archives (accession archive copy FROM TO)");
  addVerb(archive, "copy", "copy an archive dataset by dataset, hashing every byte on the way")
    .argument(
      "<from>",
      "the archive: a folder, or s3://bucket/prefix, reached with the settings of the archive’s object store",
    )
    .argument("<to>", "where to: the same; what is there already, whole, is passed over")
    .addHelpText(
      "after",
      `
A dataset that is not what its inventory says is not copied, and named; the exit code is then 1.

Example:
  accession archive copy /srv/archive s3://archive-copy/lab`,
    )
    .action((from: string, to: string, options: Common) => copy(from, to, new Output(options)));
}

async function copy(from: string, to: string, output: Output): Promise<void> {
  const { copyArchive } = await import("../archive/copy.ts");
  const source = await openSource(from);
  const target = await openTarget(to);
  const sum = { copied: 0, skipped: 0, damaged: 0, bytes: 0 };
  let passed = 0;
  try {
    const options = {
      passed: (bytes: number) => {
        passed += bytes;
        output.live(show`${several(sum.copied, "dataset")} copied, ${size(passed)} read …`);
      },
    };
    for await (const one of copyArchive(source.reader, target, options)) {
      sum[one.state]++;
      if (one.state === "copied") sum.bytes += one.bytes;
      output.data(one);
      const why = one.detail === undefined ? "" : `: ${one.detail}`;
      output.say(
        show`${styled(MARKS[one.state], one.state)} ${one.object} (${several(one.files, "file")}, ${size(one.bytes)})${why}`,
      );
    }
  } catch (error) {
    throw new Failure(1, show`The archive could not be copied: ${reasonOf(error)}; begun again, it goes on`);
  } finally {
    output.live(undefined);
    await source.close();
    await target.close();
  }
  output.data({ ok: sum.damaged === 0, from, to, ...sum });
  output.say(
    show`${several(sum.copied, "dataset")} copied (${size(sum.bytes)}), ${sum.skipped} there already, ${sum.damaged} damaged`,
  );
  if (sum.damaged > 0) throw new Unsuccessful();
}

async function openSource(text: string): Promise<{ reader: ArchiveReader; close(): Promise<void> }> {
  if (!text.startsWith("s3://")) {
    const { FolderReader } = await import("../archive/reader.ts");
    return { reader: new FolderReader(resolve(text)), close: async () => undefined };
  }
  const reader = await openBucket(text);
  return { reader, close: () => reader.close() };
}

async function openTarget(text: string): Promise<CopyTarget> {
  if (text.startsWith("s3://")) return openBucket(text);
  const { FolderTarget } = await import("../archive/copy-target.ts");
  return new FolderTarget(resolve(text));
}

async function openBucket(text: string): Promise<CopyTarget> {
  const { archive } = readSettings({ ...process.env, ACCESSION_ARCHIVE: text });
  if (archive.kind !== "s3") throw new Failure(2, show`${text} is no place such as s3://bucket/prefix`);
  const { s3PlaceOf } = await import("../archive/open.ts");
  const { S3Target } = await import("../archive/s3/copy-target.ts");
  return S3Target.open(await s3PlaceOf(archive));
}
