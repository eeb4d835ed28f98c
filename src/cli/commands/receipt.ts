import type { Command } from "commander";
import { addApiCommand, type Common, clientOf, submissionPath } from "../api-command.ts";
import { STANDARD_OUTPUT, save } from "../client/download.ts";
import type { ReceiptOptions } from "./receipt-verify.ts";

/** `receipt get` fetches one from the service; `receipt verify` says whether one holds, offline. */
export function addReceipt(program: Command): void {
  const receipt = program.command("receipt").description("fetch and check receipts (accession receipt verify FILE)");
  addApiCommand(receipt, "get", "fetch the receipt of a submission from the service at ACCESSION_URL")
    .argument("<submission>", "the submission")
    .option("--output <file>", "where to; default: standard output")
    .action(async (id: string, { output: target = STANDARD_OUTPUT, ...options }: Common & { output?: string }) => {
      const { client, output } = clientOf(options);
      await save(client, submissionPath(id, "/receipt"), target, output);
    });
  addApiCommand(receipt, "verify", "check a receipt offline: its signature, and the archive that it speaks of")
    .argument("<file>", "the receipt (receipt.jws); - for standard input")
    .option("--archive <dir>", "the archive's folder, which holds ocfl/ and jwks.json")
    .option("--jwks <file|url>", "the keys that may have signed; without it, the archive's jwks.json")
    .addHelpText(
      "after",
      `
Without keys the answer is “consistent, signer not established”: the exit code 0 then says nothing of who signed it. A script
that goes by it wants --jwks or --archive.

Examples:
  accession receipt verify receipt.jws --archive /srv/archive
  accession receipt verify receipt.jws --jwks https://data.example.org/.well-known/jwks.json`,
    )
    .action(async (file: string, options: ReceiptOptions) => {
      const { verify } = await import("./receipt-verify.ts");
      await verify(file, options);
    });
}
