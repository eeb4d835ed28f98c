import type { Command } from "commander";
import { addApiCommand, type Common, clientOf } from "../../api-command.ts";
import { show, styled } from "../../terminal/text.ts";

/** `cancel`: cancels a submission and deletes its stored content. */
export function addCancel(program: Command): void {
  addApiCommand(program, "cancel", "cancel a submission and delete its stored content")
    .argument("<id>", "id of the submission")
    .action(async (id: string, options: Common) => {
      const { client, output } = clientOf(options);
      const submission = await client.ask(client.api.POST("/submission/{id}/cancel", { params: { path: { id } } }));
      output.data(submission);
      output.say(show`${styled("green", "✓")} ${submission.title}: ${submission.status}`);
    });
}
