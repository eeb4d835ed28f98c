import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Violation } from "../support/invariants/invariants.ts";
import { DURABLE_CALLS, failCalls, type Trace, watchCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem } from "../support/program/test-system.ts";
import type { Plan, ProcessEnd } from "./plan.ts";

/** How long everything may take once the last fault is over. */
const REST_MS = 180_000;
/** So long a submission is repeated while chaos refuses it. */
const DOOR_MS = 15_000;

export interface Outcome {
  plan: Plan;
  violations: Violation[];
  /** The folder, if it was kept. */
  folder?: string;
  /** How the submission ended. */
  status: string;
  attempts: number;
  deaths: number;
}

/** Plays a plan and checks what is left at its end. */
export async function runPlan(plan: Plan, options: { template: string; module: string }): Promise<Outcome> {
  const system = await TestSystem.open(options);
  let violations: Violation[] = [];
  try {
    system.s3.quirks.pageLimit = plan.pageLimit;
    for (const { key, size, options } of plan.objects) {
      system.s3.put(BUCKET, key, { seed: `${plan.seed} ${plan.run} ${key}`, size }, options);
    }
    const calm = system.s3.startChaos(plan.chaos, (_, key) => system.source.recordChange(key));
    const deaths = await runProcesses(system, plan);
    await system.start();
    let id = await system.submit("torture", DOOR_MS);
    if (id === undefined) calm();
    id ??= await system.submit("torture", REST_MS);
    if (id === undefined) throw new Error("the bucket was not accepted");
    let last = await system.runToCompletion(id, plan, REST_MS / 2);
    if (last?.status !== "completed") {
      calm();
      last = await system.runToCompletion(id, plan, REST_MS / 2);
    }
    if (last === undefined) violations.push({ invariant: "nothing hangs", detail: "the process ended by itself" });
    else if (last.status !== "completed") {
      violations.push({ invariant: "nothing hangs", detail: `still ${last.status} when time was up` });
    }
    if (system.isRunning) violations.push(...(await system.check()));
    return {
      plan,
      violations,
      ...(violations.length > 0 && { folder: system.folder }),
      status: last?.status ?? "gone",
      attempts: last?.attempt ?? 0,
      deaths,
    };
  } catch (error) {
    violations = [...violations, { invariant: "nothing hangs", detail: `the run itself failed: ${String(error)}` }];
    return { plan, violations, folder: system.folder, status: "broken", attempts: 0, deaths: 0 };
  } finally {
    system.keep = violations.length > 0;
    if (system.keep) await keepEvidence(system, plan, violations);
    await system.close();
  }
}

/** Lets one process after the other live and die as planned. Returns how many died of it. */
async function runProcesses(system: TestSystem, plan: Plan): Promise<number> {
  let deaths = 0;
  for (const death of plan.deaths) {
    const [die, rescind] = scheduleEnd(system, death);
    const program = await system.start((child) => die.spawned(child.pid ?? 0));
    if (program !== undefined) {
      await die.listening(program.process.pid ?? 0);
      const id = await system.submit("torture", DOOR_MS);
      const last = id === undefined ? undefined : await system.runToCompletion(id, plan, 15_000);
      if (last?.status === "completed") {
        await rescind();
        await program.end("SIGKILL");
        return deaths;
      }
      if (system.isRunning) await program.end("SIGKILL");
    }
    await rescind();
    deaths++;
  }
  return deaths;
}

interface ScheduledEnd {
  spawned(pid: number): void;
  listening(pid: number): Promise<void>;
}

/** Arranges how a process is going to die; the second of the pair takes it back. */
function scheduleEnd(system: TestSystem, death: ProcessEnd): [ScheduledEnd, () => Promise<void>] {
  const timers: NodeJS.Timeout[] = [];
  let trace: Trace | undefined;
  const send = (pid: number, signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone already.
    }
  };
  const later = (pid: number, signal: NodeJS.Signals, milliseconds: number) =>
    timers.push(setTimeout(() => send(pid, signal), milliseconds));
  const arranged: ScheduledEnd = {
    spawned(pid) {
      if (death.kind === "kill") later(pid, "SIGKILL", death.afterMs);
      if (death.kind === "terminate") later(pid, "SIGTERM", death.afterMs);
    },
    async listening(pid) {
      if (!system.isRunning) return;
      if (death.kind === "kill at call") {
        trace = await watchCalls(pid, DURABLE_CALLS, (number) => {
          if (number === death.number) send(pid, "SIGKILL");
        }).catch(() => undefined);
      } else if (death.kind === "failing calls") {
        trace = await failCalls(pid, death).catch(() => undefined);
        later(pid, "SIGKILL", death.forMs);
      }
    },
  };
  const rescind = async () => {
    for (const timer of timers) clearTimeout(timer);
    await trace?.detach();
  };
  return [arranged, rescind];
}

async function keepEvidence(system: TestSystem, plan: Plan, violations: readonly Violation[]): Promise<void> {
  const write = (name: string, value: unknown) => writeFile(join(system.folder, name), JSON.stringify(value, null, 2));
  await write("plan.json", plan);
  await write("violations.json", violations);
  await write("observed.json", system.observed);
  await writeFile(join(system.folder, "log.txt"), system.logs.join("\n=== the next process ===\n"));
  await system.s3.writeHistory(join(system.folder, "history.jsonl"));
}
