import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, VERSION } from "../../api-command.ts";

/** `compare`: compares a folder with the files of a dataset. */
export function addCompare(program: Command): void {
  addApiCommand(program, "compare", "compare a copy of a dataset with the archived files")
    .addOption(VERSION)
    .argument("<folder>", "folder with the copy: the content of data/, or an unpacked ZIP or bag")
    .argument("[dataset]", "address of the dataset, as a browser shows it, or its id at ACCESSION_URL")
    .option("--receipt <file>", "compare offline, with the receipt of the version")
    .option("--list <file>", "with --receipt: inventory.json or source-manifest.jsonl of the version")
    .option("--jwks <file|url>", "with --receipt: trusted public keys")
    .addHelpText(
      "after",
      `
Each file is hashed (SHA-512) and reported as identical, different, missing (only
in the dataset) or unknown (only in the folder). The exit code is 0 only if all
files are identical. With --json each file is a line. Published datasets can be
compared without a token. ACCESSION_TOKEN is sent only to ACCESSION_URL.

A receipt does not list the files. It states the digests of two lists. Without
--list the source manifest of the unpacked package is used, which lists the
files in data/. The inventory lists all files. Without --jwks the signature of
the receipt is not checked.

Examples:
  accession compare Downloads/barley https://data.example.org/dataset/7f3c9c1e-…
  accession compare barley --receipt receipt.jws --jwks jwks.json
  accession compare barley --receipt receipt.jws --list inventory.json`,
    )
    .action(async (folder, dataset, options) => {
      const { compare } = await import("../../compare/compare.ts");
      await compare(folder, dataset, options);
    });
}
