import pino from "pino";
import { describe, expect, test } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import { findSubmission } from "../db/submissions/submissions.ts";
import type { WaitingReason } from "../db/submissions/waiting.ts";
import {
  type Code,
  catalogue,
  faultOf,
  Problem,
  responseInStep,
  SOURCE_CODES,
  type WaitingCode,
  waitingPeriod,
} from "../domain/problems.ts";
import { ScratchFull } from "../source/lists/scratch.ts";
import { suspendingOnProblem, suspendOrFail } from "./suspend-or-fail.ts";

useTestDatabase();

const CODES = Object.keys(catalogue) as Code[];
const context = () => ({ db, log: pino({ enabled: false }) });

interface Met {
  status: string;
  standstill: WaitingReason | null;
  tried: boolean;
  /** The levels of the log messages (pino: 30 is “info”, 50 is “error”). */
  levels: number[];
}

/** How a submission responds when a step throws a problem of this code. */
async function meet(code: Code): Promise<Met> {
  const levels: number[] = [];
  const log = pino({}, { write: (line: string) => void levels.push(JSON.parse(line).level) });
  const id = await addSubmission(db, { status: "transferring" });
  const work = { id, attempt: 1 };
  const problem = new Problem(code, `the words of ${code}`);
  let tried = false;
  const step = () => Promise.reject(problem);
  const store = { proveSame: async () => undefined };
  await suspendingOnProblem({ db, log, store } as never, work, async () => true, step).catch((error: unknown) => {
    tried = error === problem;
  });
  const row = await findSubmission(db, id);
  return {
    status: row?.status ?? "",
    standstill: (row?.waiting ?? row?.failure ?? null) as WaitingReason | null,
    tried,
    levels,
  };
}

/** Errors of the submitter at the check. After a check that passed, only the storage provider can cause them. */
const CAUSED_BY_THE_PROVIDER: Code[] = ["not_s3", "tls_wrong_host", "tls_not_spoken", "tls_expected"];

describe("a submission that meets", () => {
  test.each(CODES)("%s waits for, or fails by, the party that can resolve it", async (code) => {
    const { status, standstill, tried } = await meet(code);
    const response = responseInStep(code);
    if (response === "retry") {
      expect([status, standstill, tried]).toEqual(["transferring", null, true]);
      return;
    }
    expect(status).toBe(response === "fail" ? "failed" : "waiting");
    const fault = CAUSED_BY_THE_PROVIDER.includes(code) ? "source" : faultOf(code);
    expect(standstill).toMatchObject({ fault, message: `the words of ${code}` });
    expect(standstill?.code).toBe(response === "fail" ? code : response.waitAs);
  });

  test.each(CODES)("%s is logged as an error exactly if the operator must act", async (code) => {
    const { standstill, levels } = await meet(code);
    const isForOperator = standstill?.fault === "operator" || standstill?.fault === "service";
    expect(levels).toEqual(standstill === null ? [] : [isForOperator ? 50 : 30]);
  });

  test.each<[Code, string, string]>([
    ["bucket_missing", "source_changed", "submitter"],
    ["clock_skewed", "source_blocked", "operator"],
    ["address_refused", "source_blocked", "operator"],
    ["network_unreachable", "source_blocked", "operator"],
    ["name_lookup_failed", "source_blocked", "operator"],
    ["address_unresolvable", "source_changed", "submitter"],
    ["not_s3", "source_unreachable", "source"],
    ["connection_refused", "source_unreachable", "source"],
    ["read_denied", "credentials_rejected", "submitter"],
    ["key_denied", "credentials_rejected", "submitter"],
    ["account_suspended", "account_suspended", "submitter"],
    ["usage_limit_reached", "usage_limit_reached", "submitter"],
    ["archive_unreadable", "archive_unwritable", "operator"],
  ])("%s waits under %s, and the %s must act", async (code, waiting, fault) => {
    expect((await meet(code)).standstill).toMatchObject({ code: waiting, fault });
  });

  test("an internal error, after the last try, fails by the service", async () => {
    const id = await addSubmission(db, { status: "transferring" });
    await suspendOrFail(context(), { id, attempt: 1 }, new Problem("internal_error"));
    expect((await findSubmission(db, id))?.failure).toMatchObject({ code: "internal_error", fault: "service" });
  });
});

test("a problem with the source always stops the submission, and is never reported as an error of the service", () => {
  expect(SOURCE_CODES.filter((code) => responseInStep(code) === "retry")).toEqual([]);
});

test("a retryable cause makes the submission wait, and the source is probed again", () => {
  const retryable = SOURCE_CODES.filter((code) => "retryable" in catalogue[code]);
  expect(retryable.length).toBeGreaterThan(5);
  for (const code of retryable) {
    const { waitAs } = responseInStep(code) as { waitAs: WaitingCode };
    expect([code, waitingPeriod(waitAs)]).toMatchObject([code, { probeInMs: 60_000 }]);
  }
});

test("a submission waits under a code for the time that the catalogue states", async () => {
  const days = async (code: Code, committed: boolean) => {
    const id = await addSubmission(db, { status: "packaging", published_at: committed ? new Date() : null });
    await suspendOrFail(context(), { id, attempt: 1 }, new Problem(code));
    const { waiting, probe_at } = (await findSubmission(db, id)) ?? {};
    const { code: waitAs, since, until } = waiting as WaitingReason;
    return [waitAs, (Date.parse(until ?? "") - Date.parse(since)) / 86_400_000, probe_at !== null];
  };
  expect(await days("read_denied", false)).toEqual(["credentials_rejected", 30, false]);
  expect(await days("objects_unreadable", false)).toEqual(["objects_unreadable", 30, false]);
  expect(await days("bucket_missing", false)).toEqual(["source_changed", 14, true]);
  expect(await days("usage_limit_reached", false)).toEqual(["usage_limit_reached", 30, true]);
  expect(await days("slow_down", false)).toEqual(["source_unreachable", 14, true]);
  expect(await days("clock_skewed", false)).toEqual(["source_blocked", 30, true]);
  expect(await days("no_space", false)).toEqual(["no_space", 30, true]);
  expect(await days("archive_unreadable", false)).toEqual(["archive_unwritable", 30, true]);
  // Publication is committed: every problem makes the submission wait, in effect without limit.
  expect(await days("archive_unwritable", true)).toEqual(["archive_unwritable", 36_500, true]);
  expect(await days("verification_failed", true)).toEqual(["archive_unwritable", 36_500, true]);
});

test("the folder without space for a temporary file is in the log, and not in what the submitter reads", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const id = await addSubmission(db, { status: "listing" });
  const full = new ScratchFull({
    message: "A list needs 1 B",
    cause: undefined,
    bytes: 1,
    folder: "/srv/data/scratch",
  });
  await suspendOrFail({ db, log }, { id, attempt: 1 }, full);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ code: "no_space", folder: "/srv/data/scratch" }]);
  const { waiting } = (await findSubmission(db, id)) ?? {};
  expect(JSON.stringify(waiting)).not.toContain("/srv");
  expect(waiting).toMatchObject({ code: "no_space", message: "A list needs 1 B" });
});
