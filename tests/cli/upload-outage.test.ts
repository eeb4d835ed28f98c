import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { startHttpProxy } from "../support/network/http-proxy.ts";
import { runCommand, startCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const KEPT =
  "Nothing was submitted. What has arrived is kept for two weeks. To send the rest, run the same command again.";
let service: TestService;
let folder: string;
let data: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "accession-outage-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  data = await mkdtemp(join(folder, "data-"));
  // Otherwise the command says that the same folder was just submitted.
  await writeFile(join(folder, "dataset.json"), JSON.stringify({ ...goodMetadata, title: data }));
});
const args = () => ["upload", data, "--metadata", join(folder, "dataset.json")];

test.each([
  ["in a batch", 100],
  ["by tus", 6 << 20],
])("the command says that the service does not answer, and continues after it: a file %s", async (_, bytes) => {
  await writeFile(join(data, "file"), randomBytes(bytes));
  const { promise: isTold, resolve } = Promise.withResolvers<void>();
  let isBack = false;
  await using switching = await startHttpProxy(service.url, async (request) => {
    if (!isBack && /batch|files/.test(request)) throw new Error("An outage");
  });
  let said = "";
  const ended = startCommand(args(), folder, {
    env: { ACCESSION_URL: switching.url },
    onStart: (started) => {
      started.stderr?.on("data", (text: string) => {
        said += text;
        if (said.includes("Trying again for 2 minutes")) resolve();
      });
    },
  });
  await isTold;
  isBack = true;
  const { code, stderr, lines } = await ended;
  expect([code, stderr.match(/Trying again/g)]).toEqual([0, ["Trying again"]]);
  expect(stderr).toContain("The service cannot be reached at");
  await service.api.until(lines.at(-1).id, ["completed"]);
});

test("the operator must adapt a proxy that refuses large requests; what has arrived is kept", async () => {
  await writeFile(join(data, "file"), "abc");
  await using proxy = await startHttpProxy(service.url, async (request) => {
    if (request.endsWith("/batch")) throw 413;
  });
  const { code, stderr } = await runCommand(args(), folder, { env: { ACCESSION_URL: proxy.url } });
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("refuses large requests (status 413). The operator must"),
  ]);
  expect(stderr).toContain("docs/how-to/nginx.md");
  expect(stderr).toContain(KEPT);
});
