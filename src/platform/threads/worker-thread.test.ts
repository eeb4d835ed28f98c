import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import type { TestMessages } from "../../../tests/support/threads/test-thread.ts";
import { WorkerThread } from "./worker-thread.ts";

const module = fileURLToPath(new URL("../../../tests/support/threads/test-thread.ts", import.meta.url));
const notices: string[] = [];
const ends: string[] = [];
const thread = new WorkerThread<TestMessages>(module, {
  name: "test",
  data: "the data",
  onNotice: (text) => notices.push(text),
  onEnd: ({ message }) => ends.push(message),
});

afterEach(async () => {
  await thread.terminate();
  notices.length = 0;
  ends.length = 0;
});

test("a call begins the thread and is answered", async () => {
  await expect(thread.call("data").result).resolves.toBe("the data");
});

test("an error in a call rejects that call alone, with its class and message", async () => {
  const echo = thread.call("echo");
  await expect(thread.call("fail").result).rejects.toThrow(new RangeError("The call failed"));
  echo.send("");
  await expect(echo.result).resolves.toBe("done");
});

test("messages about a call arrive in order, before its result, and only at their call", async () => {
  const heard: string[] = [];
  const one = thread.call("echo", (text) => heard.push(`one ${text}`));
  const other = thread.call("echo", (text) => heard.push(`other ${text}`));
  for (const text of ["a", "b", ""]) one.send(text);
  await one.result;
  other.send("c");
  other.send("");
  await other.result;
  expect(heard).toEqual(["one A", "one B", "other C"]);
});

test("a cancelled call ends with the result of the thread", async () => {
  const call = thread.call("echo");
  call.cancel();
  await expect(call.result).rejects.toThrow("The call was cancelled");
});

test("messages about an ended call are ignored", async () => {
  const call = thread.call("data");
  await call.result;
  call.send("late");
  call.cancel();
  await expect(thread.call("data").result).resolves.toBe("the data");
});

test.each([
  ["end", "The thread “test” has ended"],
  ["crash", "The thread failed"],
] as const)(
  "when the thread ends (%s), all calls are rejected, and the next call starts another one",
  async (how, message) => {
    const echo = thread.call("echo");
    const rejected = expect(echo.result).rejects.toThrow(message);
    await expect(thread.call(how).result).rejects.toThrow(message);
    await rejected;
    expect(ends).toEqual([message]);
    await expect(thread.call("data").result).resolves.toBe("the data");
  },
);

test("a module that cannot be loaded is named by the rejected call, and by a warning of the process", async () => {
  const broken = fileURLToPath(new URL("../../../tests/support/threads/broken-thread.ts", import.meta.url));
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on("warning", listen);
  try {
    const said = /broken-thread\.ts of the thread “transfer” cannot be loaded: A part is missing/;
    const { result } = new WorkerThread<TestMessages>(broken, { name: "transfer" }).call("data");
    await expect(result).rejects.toThrow(said);
    await vi.waitFor(() => expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(said)]));
  } finally {
    process.off("warning", listen);
  }
});

test("messages without a call reach both sides, and do not start the thread", async () => {
  thread.notify("ignored");
  thread.start();
  thread.notify("hello");
  await vi.waitFor(() => expect(notices).toEqual(["heard hello"]));
});

test("a thread releases its resources before it ends; closing a thread that does not run has no effect", async () => {
  await thread.close();
  await thread.call("data").result;
  await thread.close();
  expect(notices).toEqual(["closing"]);
  await vi.waitFor(() => expect(ends).toHaveLength(1));
});

test("a thread that does not close in time is abandoned", async () => {
  const call = thread.call("echo");
  call.result.catch(() => undefined);
  await thread.close(1);
  await thread.terminate();
  await expect(call.result).rejects.toThrow("has ended");
});
