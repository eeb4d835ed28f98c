import { join } from "node:path";
import type { DemoBucket } from "../../tests/support/s3/demo-bucket.ts";
import { objectFolder } from "../archive/ocfl/layout.ts";
import { checkReceiptAgainst, verifyReceipt } from "../archive/receipt.ts";
import type { Config } from "../config/config.ts";
import type { Submission } from "./api.ts";
import { archiveFolder } from "./archive-folder.ts";
import { type Client, DEFAULT_URL } from "./client.ts";
import { Failure } from "./failure.ts";
import type { Output } from "./output.ts";
import { show, styled } from "./text.ts";
import { commandName, shortest, submissionPath } from "./verb.ts";

/**
 * Checks the receipt as its owner would, by the service's public keys and against the archive on the disk, and says
 * where it and the package lie.
 *
 * @throws Failure 1 when either does not hold
 */
export async function sayResult(output: Output, client: Client, config: Config, { id }: Submission): Promise<void> {
  const archive = archiveFolder(config);
  const jws = await client.text(submissionPath(id, "/receipt"));
  const verified = await verifyReceipt(jws, await client.get("/.well-known/jwks.json"));
  if (!verified.ok) throw new Failure(1, show`The receipt does not hold: ${verified.detail}`);
  const { receipt } = verified;
  const disagreements = await checkReceiptAgainst(receipt, archive);
  if (disagreements.length > 0) {
    throw new Failure(1, [
      show`The archive is not what the receipt says:`,
      ...disagreements.map(({ path, detail }) => show`  ${path}: ${detail}`),
    ]);
  }
  const folder = join(archive, "ocfl", objectFolder(receipt.dataset.identifier));
  output.say(show`${styled("green", "✓")} The receipt's signature holds, and the archive is what it says`);
  output.say(show`\n${styled("bold", "Package")}\n  ${shortest(folder)}`);
  output.say(show`${styled("bold", "Receipt")}\n  ${shortest(join(folder, "logs", "v1", "receipt.jws"))}`);
  const may = receipt.sourceMayBeDeleted;
  output.say(show`${styled("bold", "May the source be deleted?")} ${styled(may === "yes" ? "green" : "yellow", may)}`);
  output.say(show`  ${receipt.statement}`, { hang: 2 });
}

/** A few commands to go on with; without the service only those that need none. */
export function sayNext(
  output: Output,
  demo: { url: string; goesOn: boolean; archive: string; endpoint: string; bucket: DemoBucket; id: string },
): void {
  const name = commandName();
  const archive = shortest(demo.archive);
  const receipt = "receipt verify - --archive";
  const { bucket, accessKey, secretKey } = demo.bucket;
  const offline = [`${name} verify ${archive}`];
  const online = [
    ...(demo.url === DEFAULT_URL ? [] : [`export ACCESSION_URL=${demo.url}`]),
    `${name} list`,
    `${name} status ${demo.id}`,
    ...offline,
    `curl -s ${demo.url}${submissionPath(demo.id)}/receipt | ${name} ${receipt} ${archive}`,
    `export ACCESSION_ACCESS_KEY=${accessKey} ACCESSION_SECRET_KEY=${secretKey}`,
    `${name} check ${demo.endpoint} ${bucket}`,
  ];
  output.say(show`\n${styled("bold", demo.goesOn ? "Try next, in another terminal" : "Try next")}`);
  for (const command of demo.goesOn ? online : offline) output.say(show`  ${command}`);
}
