import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TusClient } from "../support/api/tus-client.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const run = (...args: string[]) => runCommand(["uploads", ...args], tmpdir(), { env: { ACCESSION_URL: service.url } });
const runAsText = (...args: string[]) =>
  runProgram(["uploads", ...args, "--no-json"], { env: { ACCESSION_URL: service.url } });

test("uploads are listed until they are deleted or submitted", async () => {
  expect(await runAsText("list")).toMatchObject({ code: 0, stdout: "You have no uploads\n" });
  const [first, second, third] = [await tus.upload(), await tus.upload(), await tus.upload()];
  for (const { files } of [first, second, third]) await tus.send(files, "a.csv", Buffer.from("abc"));
  const listed = await run("list");
  expect(listed.lines.map(({ id, fileCount, receivedBytes }) => [id, fileCount, receivedBytes])).toEqual(
    [third, second, first].map(({ id }) => [id, 1, 3]),
  );
  const table = await runAsText("list");
  expect(table.stdout.split("\n")).toEqual([
    expect.stringMatching(/^ID .*EXPIRES .*FILES .*ARRIVED/),
    ...[third, second, first].map(({ id }) => expect.stringMatching(new RegExp(`^${id} .* 1 .* 3 B`))),
    "",
  ]);
  const deleted = await runAsText("delete", first.id, second.id);
  expect([deleted.code, deleted.stdout]).toEqual([
    0,
    [first, second].map(({ id }) => `✓ ${id} is deleted (1 file, 3 B)\n`).join(""),
  ]);
  const { json } = await tus.submit(third.id);
  const fourth = await tus.upload();
  const refused = await run("delete", third.id, fourth.id);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`status ${json.id}`)]);
  expect(refused.lines).toEqual([
    { id: third.id, deleted: false },
    { id: fourth.id, deleted: true },
  ]);
  expect((await run("list")).lines).toEqual([]);
  await service.api.until(json.id, ["completed"]);
});

test.each([randomUUID(), "not-an-id"])("an upload that does not exist is named: %s", async (id) => {
  const { code, stderr } = await run("delete", id);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`You have no upload with the id ${id}`)]);
});
