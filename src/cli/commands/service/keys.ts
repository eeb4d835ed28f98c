import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { addApiCommand } from "../../api-command.ts";
import { Failure, reasonOf } from "../../terminal/failure.ts";
import { Output } from "../../terminal/output.ts";
import { OK, show } from "../../terminal/text.ts";

/** `keys`: creates secret.key and signing.key. It never overwrites existing files. */
export function addKeys(program: Command): void {
  addApiCommand(program, "keys", "create secret.key and signing.key (mode 0600)")
    .requiredOption("--dir <dir>", "folder for the two files (required); created if it does not exist")
    .addHelpText(
      "after",
      `
If one of the files exists, nothing is written. The service reads the files that
ACCESSION_SECRET_KEY_FILE and ACCESSION_SIGNING_KEY_FILE name.

Example:
  accession keys --dir /etc/accession`,
    )
    .action(async ({ dir, ...options }) => {
      const output = new Output(options);
      const secret = join(dir, "secret.key");
      const signing = join(dir, "signing.key");
      for (const file of [secret, signing]) {
        if (await exists(file))
          throw new Failure(
            1,
            show`${file} already exists. Nothing was written. To replace lost keys, move this file away first.`,
          );
      }
      const { loadSecretKey } = await import("../../../archive/receipts/key-file.ts");
      const { loadSigningKey } = await import("../../../archive/receipts/signing.ts");
      try {
        await loadSecretKey(secret, { make: true });
        const { kid } = await loadSigningKey(signing, { make: true });
        output.data({ secretKeyFile: secret, signingKeyFile: signing, kid });
        output.say(show`${OK} ${secret}   encrypts credentials, webhook keys and e-mail addresses`);
        output.say(show`${OK} ${signing}  signs receipts, key id ${kid}`);
        output.say(show`Store backups of both files separately from the backups of the archive.`);
      } catch (error) {
        throw new Failure(1, show`The keys cannot be written to ${dir}: ${reasonOf(error)}`, { cause: error });
      }
    });
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw new Failure(1, show`${file} cannot be accessed: ${reasonOf(error)}`);
    },
  );
}
