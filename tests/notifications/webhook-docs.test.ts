import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, type RunnerTestCase, TestRunner, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { WEBHOOK_EVENT_TYPES } from "../../src/domain/submission/events.ts";
import { freePort } from "../support/network/ports.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

let s3: S3Server;
let service: TestService;
const children: ChildProcess[] = [];

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a.csv", "a");
  service = await startTestService();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await service.stop();
  await s3.close();
});

/** Returns the code block of the page in this language. */
function example(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]+?)\n\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no example in ${language}`);
  return code;
}

test.each([
  ["js", process.execPath, ["--input-type=module", "-e"]],
  ["python", "python3", ["-c"]],
] as const)(
  "the example receiver in %s accepts only genuine deliveries",
  { tags: "extended" },
  async (language, command, options) => {
    if (command === "python3" && lacks(command))
      return TestRunner.getCurrentTest<RunnerTestCase>().context.skip(skipNote(command));
    const port = await freePort();
    const { json: webhook } = await service.api.post("/webhook", { url: `http://127.0.0.1:${port}/` });
    const child = spawn(command, [...options, example(language)], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        WEBHOOK_SECRET: webhook.secret,
        WEBHOOK_PUBLIC_KEY: webhook.publicKey,
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(child);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    await service.api.submit({ endpoint: s3.endpoint, bucket: "small", ...keys });
    await vi.waitUntil(() => said.includes("submission.completed"));
    expect(said.trim().split("\n")).toHaveLength(6);
    const forged = { "webhook-id": "x", "webhook-signature": "v1,AAAA v1a,AAAA" };
    for (const timestamp of [String(Math.floor(Date.now() / 1000)), "0", "soon"]) {
      const headers = { ...forged, "webhook-timestamp": timestamp };
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: "{}" });
      expect([timestamp, status]).toEqual([timestamp, 400]);
    }
  },
);

test("names exactly the event types that are sent", () => {
  const [, sentence = ""] = /with `submission\.` before\s+them: ([^.]+)\./.exec(page) ?? [];
  expect([...sentence.matchAll(/`([a-z_]+)`/g)].map(([, type]) => type).sort()).toEqual(
    [...WEBHOOK_EVENT_TYPES].sort(),
  );
});
