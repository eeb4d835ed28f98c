import type { Command } from "commander";
import { addApiCommand, type Common, clientOf } from "../../api-command.ts";
import { addSecretOptions, readSecrets, type SecretOptions } from "../../terminal/secrets.ts";
import { show, styled } from "../../terminal/text.ts";
import { SECRETS_HELP, waitingFor } from "./bucket.ts";

/** `credentials`: updates the credentials of a submission, which continues if it waits for them. */
export function addCredentials(program: Command): void {
  addSecretOptions(
    addApiCommand(
      program,
      "credentials",
      "update the credentials of a submission, which continues if it waits for them",
    ).argument("<id>", "id of the submission"),
  )
    .addHelpText("after", SECRETS_HELP)
    .action(async (id: string, options: Common & SecretOptions) => {
      const { client, output } = clientOf(options);
      const s3Access = await readSecrets(options, { client, output });
      const { data: submission } = await client.askSource(waitingFor(output), (limits) =>
        client.api.POST("/submission/{id}/credentials", { params: { path: { id } }, body: { s3Access }, ...limits }),
      );
      output.data(submission);
      output.say(
        show`${styled("green", "✓")} The new credentials work and were stored. Status of the submission: ${submission.status}`,
      );
    });
}
