import type { Submission } from "../../../../packages/client/src/index.ts";
import { commandName, submissionPath } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { inMetadata } from "../../metadata-file.ts";
import type { Output } from "../../terminal/output.ts";
import { describeRemark } from "../../terminal/problem.ts";
import { show, WARNING } from "../../terminal/text.ts";
import { watchUntilEnd } from "./watch.ts";

interface FollowOptions {
  watch?: true;
  keepWaiting?: true;
}

/** Prints the address and the warnings of an accepted submission. With `watch`, it is followed until it ends or requires action. */
export async function followAccepted(
  { client, output }: { client: Client; output: Output },
  { id, warnings }: Pick<Submission, "id" | "warnings">,
  options: FollowOptions,
): Promise<void> {
  output.say(show`  ${client.url}${submissionPath(id)}`);
  if (warnings.length > 0) output.say(show`${WARNING} Accepted with warnings:`);
  for (const warning of warnings) output.say(describeRemark(inMetadata(warning)), { hang: 4 });
  if (options.watch) await watchUntilEnd(client, output, id, options);
  else output.say(show`To follow its progress: ${commandName()} watch ${id}`);
}
