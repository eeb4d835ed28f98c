import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import { changeStatus, findSubmission, lockSubmission, type SubmissionRow } from "../db/submissions/submissions.ts";
import type { FlowState } from "../source/reading/flow.ts";
import { recordingSilence, recordSourceActivity } from "./source-silence.ts";

let id: string;
const now = Date.now();

useTestDatabase();
// Silence is measured from the times below to the current time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());
beforeEach(async () => {
  id = await addSubmission(db, { status: "transferring" });
});

const row = async () => (await findSubmission(db, id)) as SubmissionRow;
const note = async (flow: Partial<FlowState>, known?: SubmissionRow) =>
  recordSourceActivity({ db }, { id, attempt: 1 }, known ?? (await row()), flow);
const written = async () => {
  const { source_heard_at: heard, source_silent_since: silent } = await row();
  return [heard?.getTime() ?? null, silent?.getTime() ?? null];
};

test("silence of the source is recorded after ten seconds, and ends with the next byte", async () => {
  await note({ heardAt: now - 20_000, silentSince: now - 9_000 });
  expect(await written()).toEqual([now - 20_000, null]);
  await note({ heardAt: now - 20_000, silentSince: now - 11_000 });
  expect(await written()).toEqual([now - 20_000, now - 11_000]);
  await note({ heardAt: now - 19_999, silentSince: undefined });
  expect(await written()).toEqual([now - 19_999, null]);
});

test("a silent task records no silence while the source sends data to another task", async () => {
  await note({ heardAt: now - 3_000 });
  await note({ heardAt: now - 60_000, silentSince: now - 60_000 });
  expect(await written()).toEqual([now - 3_000, null]);
});

test("activity of the source is recorded every five seconds, not at each check", async () => {
  await note({ heardAt: now - 4_999 });
  await note({ heardAt: now });
  expect(await written()).toEqual([now - 4_999, null]);
  await note({ heardAt: now + 1 });
  expect(await written()).toEqual([now + 1, null]);
});

test("an earlier attempt records nothing, and a new status restarts the count", async () => {
  await recordSourceActivity({ db }, { id, attempt: 2 }, await row(), { silentSince: now - 60_000 });
  expect(await written()).toEqual([null, null]);
  await note({ silentSince: now - 60_000 });
  expect(await written()).toEqual([null, now - 60_000]);
  await db.transaction().execute(async (trx) => {
    const locked = (await lockSubmission(trx, id)) as SubmissionRow;
    await changeStatus(trx, locked, "verifying", { type: "verifying", message: "" });
  });
  expect(await written()).toEqual([null, null]);
});

test("a listing records silence until its page arrives", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now });
  const page = Promise.withResolvers<string>();
  const pages = (async function* () {
    yield "first";
    yield await page.promise;
  })();
  const began = Date.now();
  const read = recordingSilence({ db, log: console as never }, { id, attempt: 1 }, pages);
  expect((await read.next()).value).toBe("first");
  const second = read.next();
  vi.advanceTimersByTime(9_000);
  expect(await written()).toEqual([null, null]);
  vi.advanceTimersByTime(3_000);
  await vi.waitFor(async () => expect(await written()).toEqual([null, began]));
  page.resolve("second");
  expect((await second).value).toBe("second");
  expect((await written())[1]).toBeNull();
  expect((await read.next()).done).toBe(true);
});
