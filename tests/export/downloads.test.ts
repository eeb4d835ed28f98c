import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entriesBelow } from "../support/entries-below.ts";
import { type CommandResult, startCommand } from "../support/program/run-command.ts";

/*
 * How the command line writes fetched files. `datasets.test.ts` tests the contents of real files.
 */

const SUBMISSION = "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11";
const endless: RequestListener = ({ url }, response) =>
  url === "/service" ? response.end("{}") : response.write("the beginning");

let folder: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-downloads-"));
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function accession(listener: RequestListener, args: string[], more: Parameters<typeof startCommand>[2] = {}) {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const env = { ACCESSION_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return startCommand(args, folder, { ...more, env });
}

test("an existing file is not overwritten", async () => {
  const file = join(folder, "receipt.jws");
  await writeFile(file, "of another user");
  const args = ["receipt", "get", SUBMISSION, "--output", file];
  const { code, stderr } = await accession((_, response) => response.end("a receipt"), args);
  expect([code, stderr]).toEqual([2, `${file} already exists. Name another file with --output.\n`]);
  expect(await readFile(file, "utf8")).toBe("of another user");
});

test.each([
  ["a file", ["receipt", "get", SUBMISSION, "--output"]],
  ["a folder", ["export", SUBMISSION, "--format", "bagit", "--output"]],
])("Ctrl-C leaves nothing of %s behind", async (_, args) => {
  const begun = async (): Promise<CommandResult> =>
    accession(endless, [...args, join(folder, "target")], {
      onStart: async (child) => {
        await vi.waitUntil(async () => (await entriesBelow(folder)).some(({ name }) => name.includes(".part")));
        child.kill("SIGINT");
      },
    });
  expect((await begun()).code).toBe(130);
  expect(await readdir(folder)).toEqual([]);
});

test("a refusal is not written as the requested file", async () => {
  const problem = JSON.stringify({ code: "not_found", title: "Not found", detail: "The submission does not exist" });
  const { code, lines, stderr } = await accession(
    (_, response) => response.writeHead(404, { "content-type": "application/problem+json" }).end(problem),
    ["receipt", "get", SUBMISSION],
  );
  expect([code, lines]).toEqual([1, []]);
  expect(stderr).toContain("The submission does not exist");
});
