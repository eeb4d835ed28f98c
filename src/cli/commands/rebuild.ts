import type { Command } from "commander";
import { describeLocation } from "../../archive/location.ts";
import type { Listener, Outcome } from "../../main/database-commands.ts";
import { addApiCommand, type Common } from "../api-command.ts";
import { keepMemoryPrivate, nodeSwitches } from "../private-memory.ts";
import { explainFailureOf, stopSignal } from "../start.ts";
import { INTERRUPTED, Unsuccessful } from "../terminal/failure.ts";
import { count, several, size } from "../terminal/numbers.ts";
import { Output } from "../terminal/output.ts";
import { show, styled } from "../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `rebuild`: makes the database anew from the archive alone. */
export function addRebuild(program: Command): void {
  addApiCommand(program, "rebuild", "make the database anew from the archive")
    .addHelpText(
      "after",
      `
For the day on which the database is lost and the archive is not: completed submissions and datasets, withdrawn ones
included, are there again. Tokens, unfinished work and idempotency keys are not; what was transferred for unfinished
submissions stays in the archive’s staging folder, unused. It uses the settings of “accession serve”, which must not run,
and only reads the archive.

Nothing that the database knows is changed: when it was interrupted, run it again. A database in which submissions are
under way is refused. Receipts, logs and manifests are checked on the way; what does not hold is named and not taken in,
and the exit code is 1. Files are not read: that is what “accession verify” is for.

Example:
  ACCESSION_DATA=/srv/accession accession rebuild`,
    )
    .action(async (options: Common) => {
      const output = new Output(options);
      const config = readSettings(process.env);
      const stop = stopSignal(() => output.note(show`Stopping; what is taken in stays. Once more ends at once`));
      keepMemoryPrivate(nodeSwitches(process.env));
      const { rebuildDatabase } = await import("../../main/database-commands.ts");
      const sum = { taken_in: 0, tombstone_taken_in: 0, known: 0, refused: 0, left_alone: 0, objects: 0, bytes: 0 };
      output.live(show`Looking through ${describeLocation(config.archive)} …`);
      const listener = listenerOf(output, sum);
      try {
        await explainFailureOf("The database cannot be rebuilt", config, () => rebuildDatabase(config, listener, stop));
      } catch (error) {
        if (!stop.aborted) throw error;
        output.note(show`Stopped: ${several(sum.taken_in, "dataset")} taken in. Run it again to go on`);
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
  const before = () => show`${several(sum.taken_in, "dataset")}, ${several(sum.objects, "object")} taken in`;
  return {
    outcome(outcome) {
      sum[outcome.outcome]++;
      if (outcome.outcome === "taken_in") {
        sum.objects += outcome.objects;
        sum.bytes += outcome.bytes;
      }
      output.data(outcome);
      if (outcome.outcome === "refused") output.say(show`${styled("red", "✗")} ${outcome.path}: ${outcome.reason}`);
      if (outcome.outcome === "left_alone")
        output.say(show`${styled("yellow", "–")} ${outcome.path}: ${outcome.reason}`);
      output.live(before());
    },
    looking: (files) => output.live(show`Looking through the archive: ${several(files, "file")} …`),
    writing: (_, objects) => output.live(show`${before()} … ${count(objects)} of the next`),
  };
}

function report(output: Output, sum: Sum): void {
  const ok = sum.refused === 0;
  output.data({ ok, ...sum });
  const parts = [
    show`${several(sum.taken_in, "dataset")} taken in (${several(sum.objects, "object")}, ${size(sum.bytes)})`,
    ...(sum.tombstone_taken_in > 0 ? [show`${several(sum.tombstone_taken_in, "withdrawn one")} taken in`] : []),
    ...(sum.known > 0 ? [show`${count(sum.known)} known before`] : []),
    ...(sum.left_alone > 0 ? [show`${count(sum.left_alone)} left alone`] : []),
    ...(sum.refused > 0 ? [show`${count(sum.refused)} not taken in`] : []),
  ];
  const text = parts.reduce((all, part) => show`${all}, ${part}`);
  output.say(show`${ok ? styled("green", "✓") : styled("red", "✗")} ${text}`);
}
