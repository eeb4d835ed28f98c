/** A thread for worker-thread.test.ts. */
import { workerData } from "node:worker_threads";
import { serveCalls } from "../../../src/platform/threads/serve-calls.ts";
import type { ThreadMessages } from "../../../src/platform/threads/worker-thread.ts";

export interface TestMessages extends ThreadMessages {
  request: "data" | "fail" | "end" | "crash" | "echo";
  result: string;
  toCall: string;
  fromCall: string;
  toThread: string;
  fromThread: string;
}

const notify: (text: string) => void = serveCalls<TestMessages>({
  call: async (request, call) => {
    switch (request) {
      case "data":
        return String(workerData);
      case "fail":
        throw new RangeError("The call failed");
      case "end":
        return process.exit(1);
      case "crash":
        setImmediate(() => {
          throw new TypeError("The thread failed");
        });
        return new Promise(() => undefined);
      case "echo":
        return new Promise((resolve, reject) => {
          call.onMessage((text) => (text === "" ? resolve("done") : call.send(text.toUpperCase())));
          call.signal.addEventListener("abort", () => reject(call.signal.reason));
        });
    }
  },
  onNotice: (text) => notify(`heard ${text}`),
  close: async () => notify("closing"),
});
