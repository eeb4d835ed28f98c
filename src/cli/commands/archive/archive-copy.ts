import { resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { ArchiveLocation } from "../../../archive/location.ts";
import type { Overlap } from "../../../archive/overlap.ts";
import { addApiCommand } from "../../api-command.ts";
import { Failure, reasonOf, Unsuccessful } from "../../terminal/failure.ts";
import { several, size } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { show, styled } from "../../terminal/text.ts";
import { readSettings } from "../service/config.ts";

const MARKS = { copied: "green", skipped: "dim", damaged: "red" } as const;

/** `archive copy`: copies an archive to another location and verifies the digests of all files. */
export function addArchive(program: Command): void {
  const archive = program.command("archive").description("copy archives (accession archive copy FROM TO)");
  addApiCommand(archive, "copy", "copy an archive and verify the digests of all files")
    .argument("<from>", "the archive: a folder, or s3://bucket/prefix")
    .argument("<to>", "the target: a folder, or s3://bucket/prefix")
    .addHelpText(
      "after",
      `
Datasets that the target already contains are skipped. A dataset that does not
match its inventory, or that has another version in the target, is reported and
not copied. The exit code is then 1. Source and target must not overlap.

s3:// addresses, of source and target, use ACCESSION_ARCHIVE_S3_ENDPOINT and the
other settings of the archive’s object store. To copy between two object stores,
copy to a folder first.

Example:
  accession archive copy /srv/accession/archive s3://archive-copy/lab`,
    )
    .action((from, to, options) => copy(from, to, new Output(options)));
}

async function copy(from: string, to: string, output: Output): Promise<void> {
  await requireSeparate(from, to);
  const { copyArchive } = await import("../../../archive/copying/copy.ts");
  const { openCopyTarget, openReader } = await import("../../../archive/open-archive.ts");
  const source = await openReader(placeOf(from));
  const target = await openCopyTarget(placeOf(to));
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
    throw new Failure(1, show`The archive could not be copied: ${reasonOf(error)}. Run the command again to continue.`);
  } finally {
    output.live(undefined);
    source.close();
    await target.close();
  }
  output.data({ ok: sum.damaged === 0, from, to, ...sum });
  output.say(
    show`${several(sum.copied, "dataset")} copied (${size(sum.bytes)}), ${sum.skipped} skipped, ${sum.damaged} damaged`,
  );
  if (sum.damaged > 0) throw new Unsuccessful();
}

const OVERLAPS = {
  same: "is the source itself",
  inside: "is inside the source",
  contains: "contains the source",
  shares: "shares a folder with the source, by a link or a mount",
} as const satisfies Record<Overlap, string>;

/** Ensures that the target does not overlap with the source. @throws Failure 2 before anything is written */
async function requireSeparate(from: string, to: string): Promise<void> {
  const { overlapOf } = await import("../../../archive/overlap.ts");
  const overlap = await overlapOf(placeOf(to), placeOf(from)).catch((error: unknown) => {
    throw new Failure(2, show`${from} and ${to} cannot be compared: ${reasonOf(error)}`);
  });
  if (overlap === undefined) return;
  throw new Failure(
    2,
    show`The target ${to} ${OVERLAPS[overlap]} ${from}. Nothing was copied. Choose a separate folder, or a separate prefix in the bucket.`,
  );
}

/** Parses the location of an archive. @throws Failure 2 if the settings of the object store are invalid */
function placeOf(text: string): ArchiveLocation {
  if (!text.startsWith("s3://")) return { kind: "folder", folder: resolve(text) };
  return readSettings({ ...process.env, ACCESSION_ARCHIVE: text }).archive;
}
