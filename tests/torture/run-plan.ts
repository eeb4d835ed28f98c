import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Violation } from "../support/invariants/invariants.ts";
import { DURABLE_CALLS, failCalls, type Trace, watchCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem } from "../support/program/test-system.ts";
import type { Plan, ProcessEnd } from "./plan.ts";
import { Uploader } from "./uploads/uploader.ts";

/** Time limit after the last fault. */
const FINISH_MS = 180_000;
/** Time limit for repeating a submission that faults prevent. */
const SUBMIT_MS = 15_000;

export interface Outcome {
  plan: Plan;
  violations: Violation[];
  /** The folder, if it was kept. */
  folder?: string;
  /** How the submission ended. */
  status: string;
  attempts: number;
  /** Number of processes that were killed. */
  killed: number;
}

/** Executes a plan and checks the invariants at its end. */
export async function runPlan(plan: Plan, options: { template: string; module: string }): Promise<Outcome> {
  const system = await TestSystem.open(options);
  let violations: Violation[] = [];
  try {
    system.s3.quirks.pageLimit = plan.pageLimit;
    for (const { key, size, options } of plan.objects) {
      system.s3.put(BUCKET, key, { seed: `${plan.seed} ${plan.run} ${key}`, size }, options);
    }
    const uploader = plan.files && new Uploader(system, `${plan.seed} ${plan.run}`, plan.files);
    const submit = (milliseconds: number) => sendAndSubmit(system, uploader, milliseconds);
    const stopChaos = system.s3.startChaos(plan.chaos, (_, key) => system.source.recordChange(key));
    const killed = await runProcesses(system, plan, submit);
    await system.start();
    let id = await submit(SUBMIT_MS);
    if (id === undefined) stopChaos();
    id ??= await submit(FINISH_MS);
    violations.push(...(uploader?.violations ?? []));
    if (id === undefined) throw new Error("the source was not accepted");
    let last = await system.runToCompletion(id, plan, FINISH_MS / 2);
    if (last?.status !== "completed") {
      stopChaos();
      last = await system.runToCompletion(id, plan, FINISH_MS / 2);
    }
    if (last === undefined) violations.push({ invariant: "nothing hangs", detail: "the process ended unexpectedly" });
    else if (last.status !== "completed") {
      violations.push({ invariant: "nothing hangs", detail: `still ${last.status} when the time was up` });
    }
    if (system.isRunning) violations.push(...(await system.check()));
    return {
      plan,
      violations,
      ...(violations.length > 0 && { folder: system.folder }),
      status: last?.status ?? "ended",
      attempts: last?.attempt ?? 0,
      killed,
    };
  } catch (error) {
    violations = [...violations, { invariant: "nothing hangs", detail: `the run itself failed: ${String(error)}` }];
    return { plan, violations, folder: system.folder, status: "broken", attempts: 0, killed: 0 };
  } finally {
    system.keep = violations.length > 0;
    if (system.keep) await keepEvidence(system, plan, violations);
    await system.close();
  }
}

/** Starts and ends processes as planned, until one of them completes the submission. Returns the number of killed processes. */
async function runProcesses(
  system: TestSystem,
  plan: Plan,
  submit: (milliseconds: number) => Promise<string | undefined>,
): Promise<number> {
  let killed = 0;
  for (const end of plan.processEnds) {
    const [scheduled, cancel] = scheduleEnd(system, end);
    const program = await system.start((child) => scheduled.spawned(child.pid ?? 0));
    if (program !== undefined) {
      await scheduled.listening(program.process.pid ?? 0);
      const id = await submit(SUBMIT_MS);
      const last = id === undefined ? undefined : await system.runToCompletion(id, plan, 15_000);
      if (last?.status === "completed") {
        await cancel();
        await program.end("SIGKILL");
        return killed;
      }
      if (system.isRunning) await program.end("SIGKILL");
    }
    await cancel();
    killed++;
  }
  return killed;
}

/** Submits the bucket, or sends the files and submits the upload. Returns undefined if the process has ended or the time is up. */
async function sendAndSubmit(
  system: TestSystem,
  uploader: Uploader | undefined,
  milliseconds: number,
): Promise<string | undefined> {
  const until = Date.now() + milliseconds;
  if (uploader !== undefined) {
    const id = await uploader.send(milliseconds);
    if (id === undefined) return undefined;
    system.upload = { id, files: uploader.expected() };
  }
  return system.submit("torture", until - Date.now());
}

interface ScheduledEnd {
  spawned(pid: number): void;
  listening(pid: number): Promise<void>;
}

/** Schedules the end of a process. The second element of the result cancels it. */
function scheduleEnd(system: TestSystem, end: ProcessEnd): [ScheduledEnd, () => Promise<void>] {
  const timers: NodeJS.Timeout[] = [];
  let trace: Trace | undefined;
  const send = (pid: number, signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  };
  const later = (pid: number, signal: NodeJS.Signals, milliseconds: number) =>
    timers.push(setTimeout(() => send(pid, signal), milliseconds));
  const scheduled: ScheduledEnd = {
    spawned(pid) {
      if (end.kind === "kill") later(pid, "SIGKILL", end.afterMs);
      if (end.kind === "terminate") later(pid, "SIGTERM", end.afterMs);
    },
    async listening(pid) {
      if (!system.isRunning) return;
      if (end.kind === "kill at call") {
        trace = await watchCalls(pid, DURABLE_CALLS, (number) => {
          if (number === end.number) send(pid, "SIGKILL");
        }).catch(() => undefined);
      } else if (end.kind === "failing calls") {
        trace = await failCalls(pid, end).catch(() => undefined);
        later(pid, "SIGKILL", end.forMs);
      }
    },
  };
  const cancel = async () => {
    for (const timer of timers) clearTimeout(timer);
    await trace?.detach();
  };
  return [scheduled, cancel];
}

async function keepEvidence(system: TestSystem, plan: Plan, violations: readonly Violation[]): Promise<void> {
  const write = (name: string, value: unknown) => writeFile(join(system.folder, name), JSON.stringify(value, null, 2));
  await write("plan.json", plan);
  await write("violations.json", violations);
  await write("observed.json", system.observed);
  await writeFile(join(system.folder, "log.txt"), system.logs.join("\n=== the next process ===\n"));
  await system.s3.writeHistory(join(system.folder, "history.jsonl"));
}
