import type { Command } from "@commander-js/extra-typings";
import type { Preview } from "../../../../packages/client/src/index.ts";
import { clientOf } from "../../api-command.ts";
import { gatherLists, NO_DIGESTS, readDigestLists } from "../../digest-lists.ts";
import { count, duration, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { FAILED, NEXT, OK, pad, show, styled, WARNING } from "../../terminal/text.ts";
import { addBucketCommand, readBucket, waitingFor } from "./bucket.ts";

/** Maximum number of renamed keys in the text output. `--json` has up to 100. */
const RENAMED_SHOWN = 10;

/** `preview`: counts the objects that a submission would archive. */
export function addPreview(program: Command): void {
  addBucketCommand(program, "preview", "count the objects that a submission would archive")
    .option("--dataset <id>", "compare with the latest version of this dataset")
    .option("--digests <file>", "compare the names of the files with this checksum list; repeatable", gatherLists)
    .option(
      "--digests-key <key>",
      "compare with the checksum list that is this object of the bucket; repeatable",
      gatherLists,
    )
    .option("--digests-base <folder>", "folder of the source to which the paths of these lists are relative")
    .addOption(NO_DIGESTS)
    .addHelpText(
      "after",
      `
Example:
  accession preview https://s3.example.org barley-roots --include '**.csv' --exclude '**/.*'`,
    )
    .action(async (endpoint, bucket, options) => {
      const { client, output } = clientOf(options);
      const { access, selection } = await readBucket(endpoint, bucket, options, { client, output });
      const dataset = options.dataset === undefined ? {} : { dataset: { id: options.dataset } };
      const body = { ...access, selection, ...(await readDigestLists(options)), ...dataset };
      const { data: preview } = await client.askSource(waitingFor(output), (limits) =>
        client.api.POST("/submission/upload/s3preview", { body, ...limits }),
      );
      output.data(preview);
      describe(output, preview);
    });
}

/** Prints the differences to the previous version, and how much must be read. */
function describeChanges(output: Output, changes: NonNullable<Preview["changes"]>): void {
  const { since, sameSource, added, changed, unchanged, removed, toRead } = changes;
  const counts = [
    `${count(added.objects)} new`,
    `${count(changed.objects)} changed`,
    `${count(unchanged.objects)} unchanged`,
    ...(removed === null ? [] : [`${count(removed.objects)} removed`]),
  ];
  output.say(show`  Since version ${since}: ${counts.join(", ")}`, { hang: 2 });
  if (!sameSource) output.say(show`  Version ${since} has a different bucket: all objects are read`, { hang: 2 });
  output.say(show`  To read: ${several(toRead.objects, "object")}, ${size(toRead.bytes)}`);
}

/** Prints what the digest lists show. */
function describeDigests(output: Output, digests: Preview["digests"]): void {
  if (digests === undefined) return;
  output.say(show`\n${styled("bold", "Checksum lists")}`);
  for (const { name, entries, problem } of digests.lists) {
    const mark = problem === null ? OK : FAILED;
    // Without a comparison, not all lists were read to their end.
    const read = problem !== null || digests.comparison === null ? "" : `: ${several(entries, "checksum")}`;
    output.say(show`${mark} ${name === "" ? "list" : name}${read}`);
    if (problem !== null) output.say(show`    ${problem.message}`, { hang: 4 });
  }
  if (digests.comparison === null) return;
  const { files, notSelected, missing, additional } = digests.comparison;
  const left = notSelected === 0 ? "" : `, ${several(notSelected, "listed file")} not selected`;
  output.say(show`  ${several(files, "file")} listed${left}, ${several(additional.total, "object")} in no list`);
  if (missing !== null && missing.total > 0)
    output.say(show`${FAILED} ${several(missing.total, "listed file")} missing:`);
  for (const key of missing?.keys.slice(0, RENAMED_SHOWN) ?? []) output.say(show`    ${key}`);
}

/** Prints the names that are not possible on every system. */
function describeNames(output: Output, unpacking: Preview["unpacking"] | undefined, objects: number): void {
  // Earlier versions of the service do not examine names.
  if (unpacking === undefined || unpacking.files === 0) return;
  const { files, named, examined } = unpacking;
  const what = several(files, "object has a name", "objects have names");
  output.say(show`\n${styled("bold", `${what} that ${files === 1 ? "is" : "are"} not possible on every system`)}`);
  for (const { path, other, detail } of named.slice(0, RENAMED_SHOWN)) {
    output.say(show`  ${path}${other === null ? "" : ` (${other})`}`);
    output.say(show`    ${styled("dim", detail)}`, { hang: 4 });
  }
  if (files > RENAMED_SHOWN) output.say(show`  … and ${count(files - RENAMED_SHOWN)} more`);
  if (examined < objects) output.say(show`  Only the first ${count(examined)} objects were examined.`);
  output.say(
    show`  The archive keeps every name. To unpack all files on Windows or macOS, rename these objects first.`,
    { hang: 2 },
  );
}

function describe(output: Output, preview: Preview): void {
  const { complete, objects, bytes, largest, fits, room, estimatedSeconds } = preview;
  const least = complete ? "" : "at least ";
  output.say(show`${styled("bold", `${least}${several(objects, "object")}, ${size(bytes)}`)}`);
  if (complete && objects === 0) {
    output.say(show`${WARNING} No objects are selected. Check the bucket name, the prefix and the patterns.`, {
      hang: 2,
    });
  } else if (room !== null) {
    output.say(
      fits
        ? show`${OK} Enough free space in the archive: ${size(room)}`
        : show`${FAILED} Not enough free space in the archive: ${size(room)}`,
    );
  }
  if (preview.changes !== undefined) describeChanges(output, preview.changes);
  if (estimatedSeconds !== null) output.say(show`  Estimated transfer time: ${duration(estimatedSeconds)}`);

  if (preview.metadataFiles.length > 0) {
    output.say(
      show`\n${styled("bold", "Metadata files")} ${styled("dim", "(accession submit --metadata-from-bucket)")}`,
    );
  }
  for (const { key, bytes } of preview.metadataFiles) output.say(show`  ${pad(size(bytes), 10, "right")}  ${key}`);

  const filled = largest.filter((object) => object.bytes > 0);
  if (filled.length > 0) output.say(show`\n${styled("bold", "Largest objects")}`);
  for (const object of filled) output.say(show`  ${pad(size(object.bytes), 10, "right")}  ${object.key}`);

  const { renamed, renamedTotal, unreadableStorageClasses } = preview;
  if (renamedTotal > 0)
    output.say(show`\n${styled("bold", `${several(renamedTotal, "object")} with a different name in the dataset`)}`);
  for (const { key, path, reason } of renamed.slice(0, RENAMED_SHOWN)) {
    output.say(show`  ${key === "" ? "(empty)" : key}`);
    output.say(show`    ${NEXT} ${path} ${styled("dim", `(${reason})`)}`, { hang: 6 });
  }
  if (renamedTotal > RENAMED_SHOWN) output.say(show`  … and ${count(renamedTotal - RENAMED_SHOWN)} more`);

  describeDigests(output, preview.digests);
  describeNames(output, preview.unpacking, preview.objects);

  for (const { storageClass, objects: archived } of unreadableStorageClasses) {
    output.say(
      show`${WARNING} ${several(archived, "object")} in the storage class ${storageClass}. The service cannot read them. Restore them first in the console of the storage provider`,
      { hang: 2 },
    );
  }
  output.say(show``);
  for (const note of preview.notes) output.say(styled("dim", note), { hang: 0 });
}
