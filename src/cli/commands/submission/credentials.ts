import type { Command } from "@commander-js/extra-typings";
import { addApiCommand, clientOf, SUBMISSION } from "../../api-command.ts";
import { ANONYMOUS, CREDENTIALS_FILE, REQUESTER_PAYS, ROLE, readSecrets } from "../../terminal/secrets.ts";
import { OK, show } from "../../terminal/text.ts";
import { SECRETS_HELP, waitingFor } from "./bucket.ts";

/** `credentials`: updates the credentials of a submission, which continues if it waits for them. */
export function addCredentials(program: Command): void {
  addApiCommand(program, "credentials", "update the credentials of a submission, which continues if it waits for them")
    .addArgument(SUBMISSION)
    .addOption(CREDENTIALS_FILE)
    .addOption(ANONYMOUS)
    .addOption(ROLE)
    .addOption(REQUESTER_PAYS)
    .addHelpText("after", SECRETS_HELP)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      const s3Access = await readSecrets(options, { client, output });
      const { data: submission } = await client.askSource(waitingFor(output), (limits) =>
        client.api.POST("/submission/{id}/credentials", { params: { path: { id } }, body: { s3Access }, ...limits }),
      );
      output.data(submission);
      output.say(show`${OK} The new credentials work and were stored. Status of the submission: ${submission.status}`);
    });
}
