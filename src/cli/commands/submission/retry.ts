import type { Command } from "commander";
import { addApiCommand, type Common, clientOf, commandName } from "../../api-command.ts";
import { addSecretOptions, readSecrets, type SecretOptions } from "../../terminal/secrets.ts";
import { show, styled } from "../../terminal/text.ts";
import { SECRETS_HELP, waitingFor } from "./bucket.ts";

interface RetryOptions extends Common, SecretOptions {
  withCredentials?: boolean;
}

/** `retry`: starts the next attempt of a waiting or failed submission. */
export function addRetry(program: Command): void {
  addSecretOptions(
    addApiCommand(program, "retry", "start the next attempt of a waiting or failed submission")
      .argument("<id>", "id of the submission")
      .option("--with-credentials", "send the credentials of the bucket again; required for a failed submission"),
  )
    .addHelpText("after", SECRETS_HELP)
    .action(async (id: string, options: RetryOptions) => {
      const { client, output } = clientOf(options);
      const wanted = options.withCredentials || options.anonymous || options.credentialsFile !== undefined;
      const body = wanted ? { s3Access: await readSecrets(options, { client, output }) } : undefined;
      const params = { path: { id } };
      const { data: submission } = await client.askSource(waitingFor(output), (limits) =>
        client.api.POST("/submission/{id}/retry", { params, ...(body && { body }), ...limits }),
      );
      output.data(submission);
      output.say(show`${styled("green", "✓")} Attempt ${submission.attempt} of “${submission.title}” has started`);
      output.say(show`To follow its progress: ${commandName()} watch ${id}`);
    });
}
