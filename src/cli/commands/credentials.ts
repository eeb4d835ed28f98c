import type { Command } from "commander";
import { addApiCommand, type Common, clientOf } from "../api-command.ts";
import { SECRETS_HELP } from "../bucket.ts";
import { addSecretOptions, readSecrets, type SecretOptions } from "../terminal/secrets.ts";
import { show, styled } from "../terminal/text.ts";

/** `credentials`: replaces the bucket's keys; a submission that waits for them goes on. */
export function addCredentials(program: Command): void {
  addSecretOptions(
    addApiCommand(
      program,
      "credentials",
      "replace the bucket's keys; a submission that waits for them goes on",
    ).argument("<id>", "the submission"),
  )
    .addHelpText("after", SECRETS_HELP)
    .action(async (id: string, options: Common & SecretOptions) => {
      const { client, output } = clientOf(options);
      const s3Access = await readSecrets(options, { client, output });
      const submission = await client.ask(
        client.api.POST("/submission/{id}/credentials", { params: { path: { id } }, body: { s3Access } }),
      );
      output.data(submission);
      output.say(show`${styled("green", "✓")} The new keys work and are kept; the submission is ${submission.status}`);
    });
}
