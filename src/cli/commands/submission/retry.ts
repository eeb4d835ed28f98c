import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, clientOf, commandName, SUBMISSION } from "../../api-command.ts";
import { ANONYMOUS, CREDENTIALS_FILE, REQUESTER_PAYS, ROLE, readSecrets } from "../../terminal/secrets.ts";
import { OK, show } from "../../terminal/text.ts";
import { SECRETS_HELP, waitingFor } from "./bucket.ts";

/** `retry`: starts the next attempt of a waiting or failed submission. */
export function addRetry(program: Command): void {
  addApiCommand(program, "retry", "start the next attempt of a waiting or failed submission")
    .addArgument(SUBMISSION)
    .option("--with-credentials", "send the credentials of the bucket again; required for a failed submission")
    .addOption(CREDENTIALS_FILE)
    .addOption(ANONYMOUS)
    .addOption(ROLE)
    .addOption(REQUESTER_PAYS)
    .addHelpText("after", SECRETS_HELP)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      const isGiven =
        options.withCredentials ||
        options.anonymous ||
        options.credentialsFile !== undefined ||
        options.roleArn !== undefined ||
        options.requesterPays;
      const body = isGiven ? { s3Access: await readSecrets(options, { client, output }) } : undefined;
      const params = { path: { id } };
      const { data: submission } = await client.askSource(waitingFor(output), (limits) =>
        client.api.POST("/submission/{id}/retry", { params, ...(body && { body }), ...limits }),
      );
      output.data(submission);
      output.say(show`${OK} Attempt ${submission.attempt} of “${submission.title}” has started`);
      output.say(show`To follow its progress: ${commandName()} watch ${id}`);
    });
}
