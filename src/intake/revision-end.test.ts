import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Listeners } from "../platform/database/notifications.ts";
import { untilRevisionEnds } from "./revision-end.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function waiting(look: () => Promise<string | undefined>) {
  const listeners = new Listeners();
  const notifications = { listen: listeners.on.bind(listeners) };
  const looks = vi.fn(look);
  return { listeners, looks, found: untilRevisionEnds({ notifications }, "one", looks) };
}

test("the end of a revision of the dataset is noticed when it is notified, also during a look", async () => {
  const first = Promise.withResolvers<undefined>();
  const answers = [first.promise, Promise.resolve("ended")];
  const { listeners, looks, found } = waiting(async () => answers.shift());
  listeners.tell("revision", "another");
  listeners.tell("revision", "one");
  first.resolve(undefined);
  expect(await found).toBe("ended");
  expect(looks).toHaveBeenCalledTimes(2);
});

test("an end without a notification is noticed within a second, and a request waits for ten at most", async () => {
  const { looks, found } = waiting(async () => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(looks).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await found).toBeUndefined();
});
