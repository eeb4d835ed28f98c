import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import type { Submission } from "../../../packages/client/src/index.ts";
import { objectFolder } from "../../archive/layout.ts";
import { checkReceiptAgainst } from "../../archive/receipts/receipt-check.ts";
import { verifyReceipt } from "../../archive/receipts/signing.ts";
import type { Config } from "../../platform/config/config.ts";
import { commandName, shortest, submissionPath } from "../api-command.ts";
import type { Client } from "../client/client.ts";
import { archiveFolder } from "../commands/service/config.ts";
import { Failure } from "../terminal/failure.ts";
import type { Output } from "../terminal/output.ts";
import { OK, show, styled } from "../terminal/text.ts";

/**
 * Verifies the receipt with the public keys of the service and against the archive on the disk, and prints the locations of
 * receipt and package.
 *
 * @throws Failure 1 if the receipt is invalid or the archive does not match it
 */
export async function sayResult(output: Output, client: Client, config: Config, { id }: Submission): Promise<void> {
  const archive = archiveFolder(config);
  const jws = await client.ask(
    client.api.GET("/submission/{id}/receipt", { params: { path: { id } }, parseAs: "text" }),
  );
  const keys = await client.ask(client.api.GET("/.well-known/jwks.json"));
  const verified = await verifyReceipt(jws, keys as JSONWebKeySet);
  if (!verified.ok) throw new Failure(1, show`The receipt is not valid: ${verified.detail}`);
  const { receipt } = verified;
  const disagreements = await checkReceiptAgainst(receipt, archive);
  if (disagreements.length > 0) {
    throw new Failure(1, [
      show`The archive does not match the receipt:`,
      ...disagreements.map(({ path, detail }) => show`  ${path}: ${detail}`),
    ]);
  }
  const folder = join(archive, "ocfl", objectFolder(receipt.dataset.identifier));
  output.say(
    show`${OK} The signature of the receipt is valid, and the lists of files in the archive match the receipt`,
  );
  output.say(show`\n${styled("bold", "Package")}\n  ${shortest(folder)}`);
  output.say(show`${styled("bold", "Receipt")}\n  ${shortest(join(folder, "logs", "v1", "receipt.jws"))}`);
  const may = receipt.sourceMayBeDeleted;
  output.say(show`${styled("bold", "Can the source be deleted?")} ${styled(may === "yes" ? "green" : "yellow", may)}`);
  output.say(show`  ${receipt.statement}`, { hang: 2 });
}

interface Done {
  archive: string;
  id: string;
}

/** Prints commands that work without the service. */
export function sayOffline(output: Output, { archive }: Done): void {
  output.say(show`\n${styled("bold", "Try next")}`);
  output.say(show`  ${commandName()} verify ${shortest(archive)}`);
}

interface Next extends Done {
  /** Id of the published dataset. */
  dataset: string | undefined;
  url: string;
  variables: string;
  bucket: string;
}

/** Prints commands to try while the service is running. */
export function sayNext(output: Output, demo: Next): void {
  const name = commandName();
  const archive = shortest(demo.archive);
  const receipt = `${demo.url}${submissionPath(demo.id)}/receipt`;
  output.say(show`\n${styled("bold", "Try next, in another terminal")}`);
  for (const command of [
    `. ${inPath(demo.variables)}    # addresses and credentials of this demo`,
    `${name} list`,
    `${name} status ${demo.id}`,
    ...(demo.dataset === undefined ? [] : [`${name} review show ${demo.dataset}    # review and publication`]),
    `${name} verify ${archive}`,
    `curl -s ${receipt} | ${name} receipt verify - --archive ${archive}`,
    `${name} check "$DEMO_ENDPOINT" ${demo.bucket}`,
  ]) {
    output.say(show`  ${command}`);
  }
}

/** Adds `./` to a name without a slash, which a shell would otherwise search for on its PATH. */
function inPath(file: string): string {
  const path = shortest(file);
  return path.includes("/") ? path : `./${path}`;
}
