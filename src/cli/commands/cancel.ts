import type { Command } from "commander";
import { addApiCommand, type Common, clientOf } from "../api-command.ts";
import { show, styled } from "../terminal/text.ts";

/** `cancel`: ends a submission; what was stored is removed. */
export function addCancel(program: Command): void {
  addApiCommand(program, "cancel", "cancel a submission; what was stored of it is removed")
    .argument("<id>", "the submission")
    .action(async (id: string, options: Common) => {
      const { client, output } = clientOf(options);
      const submission = await client.ask(client.api.POST("/submission/{id}/cancel", { params: { path: { id } } }));
      output.data(submission);
      output.say(show`${styled("green", "✓")} ${submission.title}: ${submission.status}`);
    });
}
