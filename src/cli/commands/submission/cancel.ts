import type { Command } from "@commander-js/extra-typings";
import { areaOf } from "../../../domain/source-access/upload-place.ts";
import { addApiCommand, clientOf, commandName, SUBMISSION } from "../../api-command.ts";
import { OK, show } from "../../terminal/text.ts";
import { sendingAgain } from "../../terminal/waiting-reason.ts";

/** `cancel`: cancels a submission and deletes its stored content. */
export function addCancel(program: Command): void {
  addApiCommand(program, "cancel", "cancel a submission and delete its stored content")
    .addArgument(SUBMISSION)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      const submission = await client.ask(client.api.POST("/submission/{id}/cancel", { params: { path: { id } } }));
      output.data(submission);
      output.say(show`${OK} ${submission.title}: ${submission.status}`);
      const upload = areaOf(submission.source);
      if (upload === undefined) return;
      output.say(
        show`  The upload ${upload} is kept for two weeks. To submit it again: ${commandName()} ${sendingAgain(submission)} --upload ${upload}`,
      );
    });
}
