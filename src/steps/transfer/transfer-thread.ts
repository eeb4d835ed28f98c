/** A thread that reads objects and stores them, so that the thread that answers requests stays free; see transfer-threads.ts. */
import { workerData } from "node:worker_threads";
import { Lease } from "../../archive/lease.ts";
import { S3Links } from "../../archive/s3/links.ts";
import type { Code } from "../../domain/problems.ts";
import { type ServedCall, serveCalls } from "../../platform/threads/serve-calls.ts";
import { FileHashers } from "../../source/reading/file-hashers.ts";
import type { FlowState } from "../../source/reading/flow.ts";
import { Buffers } from "../../source/reading/read-buffers.ts";
import { openSources } from "../../source/sources.ts";
import {
  type Failure,
  type TransferMessages,
  type TransferTask,
  type TransferThreadData,
  toFailure,
} from "./messages.ts";
import { OutcomeBatches, runTask, TaskAborted, type ThreadResources } from "./run-task.ts";

const { sources: options, s3 } = workerData as TransferThreadData;
const FAILURE_REPORT_INTERVAL_MS = 500;
const failures = new Map<Code, number>();
const tools: ThreadResources = {
  sources: openSources(options, { failed: countFailure, slowed: (endpoint) => notify({ slowed: endpoint }) }),
  hashers: new FileHashers(),
  buffers: new Buffers(),
  links: new S3Links(s3),
};

const notify = serveCalls<TransferMessages>({
  call: run,
  onNotice: ({ slowDown }) => tools.sources.slowDown(slowDown),
  close: async () => {
    await tools.sources.close();
    await tools.hashers.close();
    await tools.links.close();
  },
});

/** Counts a failed request. Reported in groups, because an unavailable source fails thousands of requests per second. */
function countFailure(code: Code): void {
  if (failures.size === 0) setTimeout(reportFailures, FAILURE_REPORT_INTERVAL_MS);
  failures.set(code, (failures.get(code) ?? 0) + 1);
}

function reportFailures(): void {
  notify({ requestsFailed: failures });
  failures.clear();
}

async function run(task: TransferTask, call: ServedCall<TransferMessages>): Promise<Failure | undefined> {
  const batches = new OutcomeBatches((outcomes) => call.send({ outcomes }));
  const lease = new Lease(task.confirmed);
  call.onMessage((message) => {
    if (message === "recorded") batches.recorded();
    else lease.confirm(message.confirmed);
  });
  try {
    const allBegun = () => call.send("allBegun");
    const flows = (flow: FlowState) => call.send({ flow });
    await runTask(task, tools, { batches, lease, allBegun, flows }, call.signal);
    return undefined;
  } catch (error) {
    return error instanceof TaskAborted ? toFailure(error.cause, error.seq) : toFailure(error);
  }
}
