import type { Command } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { clientOf, commandName, given, type OptionsOf } from "../../api-command.ts";
import { isUncertain } from "../../client/client.ts";
import { digestsHelp, gatherLists, NO_DIGESTS, readDigestLists } from "../../digest-lists.ts";
import { askAboutMetadata, readMetadata } from "../../metadata-file.ts";
import { Failure } from "../../terminal/failure.ts";
import { moment } from "../../terminal/numbers.ts";
import { OK, show, styled, WARNING } from "../../terminal/text.ts";
import { followAccepted } from "./accepted.ts";
import { addBucketCommand, readBucket, waitingFor } from "./bucket.ts";
import { withBucketMetadata } from "./bucket-metadata.ts";

/** `submit`: submits a bucket. */
export function addSubmit(program: Command): void {
  addSubmitCommand(program)
    .addHelpText("after", digestsHelp("of --prefix") + HELP)
    .action(submit);
}

type SubmitOptions = OptionsOf<typeof addSubmitCommand>;

function addSubmitCommand(program: Command) {
  return addBucketCommand(program, "submit", "submit a bucket")
    .option("--metadata <file>", "file with the metadata as JSON; - for standard input")
    .option(
      "--metadata-from-bucket",
      "take fields that --metadata lacks from metadata files of the bucket, such as CITATION.cff or datacite.json",
    )
    .option("--yes", "with --metadata-from-bucket: submit the printed metadata without a question")
    .option(
      "--digests <file>",
      "compare the files with this checksum list; - for standard input; repeatable",
      gatherLists,
    )
    .option(
      "--digests-key <key>",
      "compare the files with the checksum list that is this object of the bucket; repeatable",
      gatherLists,
    )
    .option("--digests-base <folder>", "folder of the source to which the paths of these lists are relative")
    .addOption(NO_DIGESTS)
    .option("--dataset <id>", "add a version to this dataset; unchanged objects are not read again")
    .option("--refetch", "with --dataset: read all objects again")
    .option("--notify <address>", "e-mail address to notify when the submission is accepted, requires action or ends")
    .option("--reserve-doi", "reserve a DOI now, for example to cite it in a manuscript; it resolves after publication")
    .option(
      "--idempotency-key <key>",
      "unique key; for 30 days, requests with the same key and content are one submission",
    )
    .option("--repeat", "submit again even if an identical submission is open or was accepted in the last ten minutes")
    .option("--watch", "follow the submission until it ends or requires action")
    .option("--keep-waiting", "with --watch: continue while the submission waits");
}

const HELP = `
With --metadata-from-bucket, the metadata and their origin are printed first. In a
terminal you confirm them. In scripts, the bucket is submitted only if they have
no errors, a description and a licence, or with --yes.

Minimum metadata:
  {"title": "Barley roots 2026", "authors": [{"role": "Creator", "firstName": "Josiah", "lastName": "Carberry"}]}

Examples:
  accession submit https://s3.example.org barley-roots --metadata dataset.json --watch
  accession submit https://s3.example.org barley-roots --metadata dataset.json --digests SHA256SUMS
  accession submit https://s3.example.org barley-roots --metadata-from-bucket
  accession submit https://s3.example.org barley-roots --metadata dataset.json --dataset 6f1c2d7e-…
  make-metadata | accession submit https://s3.example.org barley-roots --metadata - | jq -r .id`;

async function submit(endpoint: string, bucket: string, options: SubmitOptions): Promise<void> {
  const { client, output } = clientOf(options);
  const { metadataFromBucket = false } = options;
  if (options.metadata === undefined && !metadataFromBucket) {
    throw new Failure(2, show`The metadata is missing. Use --metadata FILE, --metadata-from-bucket, or both.`);
  }
  const stated = options.metadata === undefined ? undefined : await readMetadata(options.metadata);
  const digests = await readDigestLists(options);
  const { access, selection } = await readBucket(endpoint, bucket, options, { client, output });
  const metadata = metadataFromBucket
    ? await withBucketMetadata(
        { metadata: stated, isConfirmed: options.yes === true },
        { access, selection },
        { client, output },
      )
    : stated;
  const header = given({
    "idempotency-key": options.idempotencyKey,
    "accession-repeat": options.repeat && ("true" as const),
  });
  const request = {
    params: { header },
    body: {
      // The service checks it.
      metadata: metadata as components["schemas"]["Metadata"],
      s3Access: access,
      selection: { ...selection, ...given({ refetch: options.refetch }) },
      ...digests,
      ...(options.dataset !== undefined && { dataset: { id: options.dataset } }),
      ...(options.notify !== undefined && { notify: { email: options.notify } }),
      ...given({ reserveDoi: options.reserveDoi }),
    },
  };
  const answer = askAboutMetadata(
    client.askSource(waitingFor(output), (limits) =>
      client.api.POST("/submission/upload/s3upload", { ...request, ...limits }),
    ),
    digests.digests,
  );
  const { data: submission, headers } = await answer.catch((error: unknown) => {
    throw isUncertain(error) ? uncertain(error, options) : error;
  });
  const { id, createdAt } = submission;
  output.data(submission);
  if (headers.get("idempotent-replayed") === "true") {
    output.say(show`${WARNING} An identical submission was accepted ${moment(createdAt)}: ${styled("bold", id)}`);
    output.say(show`  No new submission was created. To submit the bucket again anyway, ${again(options)}.`);
  } else output.say(show`${OK} Accepted as ${styled("bold", id)}`);
  await followAccepted({ client, output }, submission, options);
}

/** How to create another submission with the same content. */
function again({ idempotencyKey }: SubmitOptions): string {
  return idempotencyKey === undefined ? "use --repeat" : "use a different --idempotency-key";
}

/** Explains how to find a submission that the service may have accepted although no response arrived. */
function uncertain(timeout: Failure, { repeat, idempotencyKey }: SubmitOptions): Failure {
  const isSafe = !repeat || idempotencyKey !== undefined;
  const again = isSafe
    ? show`  If it is not in the list, run the same command again: an identical request does not create a second submission.`
    : show`  If it is not in the list, run the command again.`;
  return new Failure(
    3,
    [...timeout.lines, show`  The service may have accepted the submission. To find it: ${commandName()} list`, again],
    { cause: timeout },
  );
}
