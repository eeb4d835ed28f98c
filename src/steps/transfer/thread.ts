/** A thread that reads objects and stores them, so that the thread that answers requests stays free; see threads.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { Lease } from "../../archive/lease.ts";
import { S3Links } from "../../archive/s3/links.ts";
import type { Code } from "../../domain/problems.ts";
import { AdaptiveConcurrency } from "../../source/reading/adaptive-concurrency.ts";
import { FileHashers } from "../../source/reading/file-hashers.ts";
import { Buffers } from "../../source/reading/read-buffers.ts";
import { Egress } from "../../source/transport/egress.ts";
import type { FlowState } from "../../source/transport/stall-detector.ts";
import { type FromThread, type ThreadOptions, type ToThread, toFailure } from "./messages.ts";
import { OutcomeBatches, runTask, TaskAborted, type Tools } from "./run-task.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of its own; it is not run by itself");
const say = (message: FromThread) => port.postMessage(message);

const { egress: options, s3 } = workerData as ThreadOptions;
const MOST_PACES = 1_000;
const FAILURES_MS = 500;
const paces = new Map<string, AdaptiveConcurrency>();
const failures = new Map<Code, number>();
const tools: Tools = {
  egress: new Egress(options, countFailure),
  followers: new FileHashers(),
  buffers: new Buffers(),
  links: new S3Links(s3),
  paceOf(endpoint) {
    const pace =
      paces.get(endpoint) ?? new AdaptiveConcurrency(options.connections, () => say({ what: "slowed", endpoint }));
    paces.set(endpoint, pace);
    // Callers choose endpoints: the one that was met first is forgotten. Whoever uses it goes on with it.
    const [oldest] = paces.keys();
    if (paces.size > MOST_PACES && oldest !== undefined) paces.delete(oldest);
    return pace;
  },
};
const running = new Map<number, { outbox: OutcomeBatches; stop: AbortController; lease: Lease }>();

/** A source that is down fails thousands of times a second: that is told together. */
function countFailure(code: Code): void {
  if (failures.size === 0) setTimeout(tellFailures, FAILURES_MS);
  failures.set(code, (failures.get(code) ?? 0) + 1);
}

function tellFailures(): void {
  say({ what: "requestsFailed", codes: failures });
  failures.clear();
}

async function run({ id, task }: Extract<ToThread, { what: "run" }>): Promise<void> {
  const outbox = new OutcomeBatches((outcomes) => say({ what: "outcomes", id, outcomes }));
  const stop = new AbortController();
  const lease = new Lease(task.confirmed);
  running.set(id, { outbox, stop, lease });
  try {
    const allBegun = () => say({ what: "allBegun", id });
    const flows = (flow: FlowState) => say({ what: "flow", id, flow });
    await runTask(task, tools, { outbox, lease, allBegun, flows }, stop.signal);
    say({ what: "done", id });
  } catch (error) {
    const failure = error instanceof TaskAborted ? toFailure(error.cause, error.seq) : toFailure(error);
    say({ what: "failed", id, failure });
  } finally {
    running.delete(id);
  }
}

port.on("message", async (message: ToThread) => {
  switch (message.what) {
    case "run":
      return run(message);
    case "recorded":
      return running.get(message.id)?.outbox.recorded();
    case "confirmed":
      return running.get(message.id)?.lease.confirm(message.at);
    case "stop":
      return running.get(message.id)?.stop.abort(new Error("The transfer was stopped"));
    case "slowDown":
      return paces.get(message.endpoint)?.slowDown();
    case "close":
      await tools.egress.close();
      await tools.followers.close();
      await tools.links.close();
      say({ what: "closed" });
      return port.close();
  }
});
