import type { Command } from "@commander-js/extra-typings";
import type { Report } from "../../../../packages/client/src/index.ts";
import type { Code } from "../../../domain/problems.ts";
import { clientOf } from "../../api-command.ts";
import { Unsuccessful } from "../../terminal/failure.ts";
import { describeReport } from "../../terminal/problem.ts";
import { show, styled } from "../../terminal/text.ts";
import { addBucketCommand, readBucket } from "./bucket.ts";

const HANG = 15;

/** `check`: checks step by step whether the service can read a bucket. */
export function addCheck(program: Command): void {
  addBucketCommand(program, "check", "check step by step whether the service can read a bucket")
    .addHelpText(
      "after",
      `
Examples:
  accession check https://s3.example.org barley-roots
  accession check https://s3.example.org barley-roots --prefix 2026/ --credentials-file keys.json`,
    )
    .action(async (endpoint, bucket, options) => {
      const { client, output } = clientOf(options);
      const { access, selection } = await readBucket(endpoint, bucket, options, { client, output });
      const report = await client.check({ ...access, selection }, ({ note, detail }) => {
        if (note === "listing_slow") output.note(show`${detail} …`);
      });
      output.data(report);
      const steps = describeReport(report);
      for (const line of steps) output.say(line, { hang: HANG });
      if (steps.length > 0) output.say(show``);
      if (report.ok) {
        output.say(show`${styled("green", report.message)}`);
        return;
      }
      output.say(styled("red", report.message), { hang: 0 });
      // The policy is printed only if missing permissions are the cause.
      if (access.anonymous || !lacksRights(report)) throw new Unsuccessful();
      output.say(show``);
      output.say(show`Policy with the minimum permissions, ready to paste:`);
      for (const line of JSON.stringify(report.policy, null, 2).split("\n")) output.say(show`  ${line}`);
      throw new Unsuccessful();
    });
}

/** Codes of steps that fail because the credentials lack a permission. */
const MISSING_RIGHTS: readonly string[] = ["list_denied", "read_denied", "key_denied"] satisfies Code[];

/** Whether a step failed because a permission is missing, which a policy can grant. */
export function lacksRights({ steps }: Pick<Report, "steps">): boolean {
  return steps.some(({ status, code }) => status === "failed" && code !== null && MISSING_RIGHTS.includes(code));
}
