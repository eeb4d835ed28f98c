import type { Command } from "commander";
import type { Submission } from "../client/api.ts";
import { show, styled } from "../terminal/text.ts";
import { addVerb, type Common, clientOf, submissionPath } from "../verb.ts";

/** `cancel`: ends a submission; what was stored is removed. */
export function addCancel(program: Command): void {
  addVerb(program, "cancel", "cancel a submission; what was stored of it is removed")
    .argument("<id>", "the submission")
    .action(async (id: string, options: Common) => {
      const { client, output } = clientOf(options);
      const submission = await client.post<Submission>(submissionPath(id, "/cancel"));
      output.data(submission);
      output.say(show`${styled("green", "✓")} ${submission.title}: ${submission.status}`);
    });
}
