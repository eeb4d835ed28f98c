import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, clientOf, submissionPath } from "../../api-command.ts";
import { STANDARD_OUTPUT, save } from "../../client/download.ts";

/** `receipt get` downloads a receipt from the service. `receipt verify` verifies a receipt offline. */
export function addReceipt(program: Command): void {
  const receipt = program
    .command("receipt")
    .description("download and verify receipts (accession receipt verify FILE)");
  addApiCommand(receipt, "get", "download the receipt of a submission from the service at ACCESSION_URL")
    .argument("<submission>", "id of the submission")
    .option("--output <file>", "file to write (default: standard output)")
    .action(async (id, { output: target = STANDARD_OUTPUT, ...options }) => {
      const { client, output } = clientOf(options);
      await save(client, submissionPath(id, "/receipt"), target, output);
    });
  addApiCommand(receipt, "verify", "verify the signature of a receipt offline, and an archive against it")
    .argument("<file>", "file with the receipt (receipt.jws); - for standard input")
    .option("--archive <dir>", "folder of the archive, which contains ocfl/ and jwks.json")
    .option("--jwks <file|url>", "trusted public keys (default: jwks.json of the archive)")
    .addHelpText(
      "after",
      `
Without public keys, the signature is not checked, and the exit code is 0.
Scripts that rely on the signer must use --jwks or --archive. --archive compares
the lists of files with the receipt; “accession verify” checks the files.

Examples:
  accession receipt verify receipt.jws --archive /srv/archive
  accession receipt verify receipt.jws --jwks https://data.example.org/.well-known/jwks.json`,
    )
    .action(async (file, options) => {
      const { verify } = await import("./receipt-verify.ts");
      await verify(file, options);
    });
}
