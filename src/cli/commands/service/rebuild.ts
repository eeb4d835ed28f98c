import type { Command } from "@commander-js/extra-typings";
import { describeLocation } from "../../../archive/location.ts";
import type { Listener, Outcome } from "../../../main/database-commands.ts";
import { addApiCommand } from "../../api-command.ts";
import { keepMemoryPrivate, nodeSwitches } from "../../private-memory.ts";
import { explainFailureOf, stopSignal } from "../../start.ts";
import { INTERRUPTED, Unsuccessful } from "../../terminal/failure.ts";
import { count, several, size } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { FAILED, OK, show, styled } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `rebuild`: rebuilds the database from the archive. */
export function addRebuild(program: Command): void {
  addApiCommand(program, "rebuild", "rebuild the database from the archive")
    .addHelpText(
      "after",
      `
Use this command if the database is lost, or is older than the archive. It adds
what the archive has and the database lacks: datasets with their completed
submissions, later versions, changed metadata, publications, changes of access,
and withdrawals. Everything else in the database stays, such as tokens, webhooks
and open submissions. Into an empty database it cannot restore tokens, webhooks,
idempotency keys, vocabularies, or submissions that are open, failed or
cancelled.

Stop all API processes and workers first. The command uses the settings of
“accession serve”. It does not change published content. If the archive is a
folder, it completes new versions whose publication was interrupted. If the
command was interrupted, run it again.

Receipts, logs and manifests are checked. Invalid datasets are reported and not
restored, and the exit code is then 1. Files are not read; use “accession
verify” to check them.

Example:
  ACCESSION_DATA=/var/lib/accession accession rebuild`,
    )
    .action(async (options) => {
      const output = new Output(options);
      const config = readSettings(process.env);
      const stop = stopSignal(() =>
        output.note(show`Stopping. Restored datasets are kept. A second signal ends the command immediately`),
      );
      keepMemoryPrivate(nodeSwitches(process.env));
      const { rebuildDatabase } = await import("../../../main/database-commands.ts");
      const sum = {
        taken_in: 0,
        tombstone_taken_in: 0,
        updated: 0,
        known: 0,
        refused: 0,
        left_alone: 0,
        objects: 0,
        bytes: 0,
      };
      output.live(show`Reading ${describeLocation(config.archive)} …`);
      const listener = listenerOf(output, sum);
      try {
        await explainFailureOf("The database cannot be rebuilt", config, () => rebuildDatabase(config, listener, stop));
      } catch (error) {
        if (!stop.aborted) throw error;
        output.note(show`Stopped: ${several(sum.taken_in, "dataset")} restored. Run the command again to continue`);
        process.exitCode = INTERRUPTED;
        return;
      } finally {
        output.live(undefined);
      }
      report(output, sum);
      if (sum.refused > 0) throw new Unsuccessful();
    });
}

type Sum = Record<Outcome["outcome"] | "objects" | "bytes", number>;

function listenerOf(output: Output, sum: Sum): Listener {
  const before = () => show`${several(sum.taken_in, "dataset")}, ${several(sum.objects, "object")} restored`;
  return {
    outcome(outcome) {
      sum[outcome.outcome]++;
      if (outcome.outcome === "taken_in") {
        sum.objects += outcome.objects;
        sum.bytes += outcome.bytes;
      }
      output.data(outcome);
      if (outcome.outcome === "refused") output.say(show`${FAILED} ${outcome.path}: ${outcome.reason}`);
      if (outcome.outcome === "left_alone")
        output.say(show`${styled("yellow", "–")} ${outcome.path}: ${outcome.reason}`);
      output.live(before());
    },
    looking: (files) => output.live(show`Reading the archive: ${several(files, "file")} …`),
    writing: (_, objects) => output.live(show`${before()} … ${count(objects)} of the next`),
  };
}

function report(output: Output, sum: Sum): void {
  const ok = sum.refused === 0;
  output.data({ ok, ...sum });
  const parts = [
    show`${several(sum.taken_in, "dataset")} restored (${several(sum.objects, "object")}, ${size(sum.bytes)})`,
    ...(sum.tombstone_taken_in > 0 ? [show`${several(sum.tombstone_taken_in, "withdrawn dataset")} restored`] : []),
    ...(sum.updated > 0 ? [show`${several(sum.updated, "dataset")} updated`] : []),
    ...(sum.known > 0 ? [show`${count(sum.known)} already in the database`] : []),
    ...(sum.left_alone > 0 ? [show`${count(sum.left_alone)} skipped`] : []),
    ...(sum.refused > 0 ? [show`${count(sum.refused)} not restored`] : []),
  ];
  const text = parts.reduce((all, part) => show`${all}, ${part}`);
  output.say(show`${ok ? OK : FAILED} ${text}`);
}
