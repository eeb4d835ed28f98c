import { copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import {
  contentDigests,
  expectContents,
  expectValid,
  submitAndArchive,
  submitNextVersion,
} from "../support/archive/archived-versions.ts";
import { findPackage } from "../support/archive/package.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** The moves of publication into the dataset, in order. A crash can occur before, between and after them. */
const MOVES = ["v2", "logs/v2", "inventory.json", "inventory.json.sha512"];
const POINTS = MOVES.map((_, moved) => moved).concat(MOVES.length);
let s3: S3Server;
let service: TestService;
let dataset: string;
let second: string;
let object: string;
let contents: { before: Map<string, string>; after: Map<string, string> };

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("field");
  for (const key of ["a.csv", "b.csv", "c.csv"]) s3.put("field", key, `content of ${key}`);
  service = await startTestService();
  const access = { endpoint: s3.endpoint, bucket: "field", ...keys };
  dataset = (await submitAndArchive(service.api, access)).dataset.id;
  const before = await contentDigests(s3, "field");
  s3.put("field", "a.csv", "another");
  second = (await submitNextVersion(service.api, access, { id: dataset })).id;
  contents = { before, after: await contentDigests(s3, "field") };
  object = (await findPackage(service.archive, dataset)).folder;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const verify = (place: string) => runCommand(["verify", place], service.data, { env: service.settings });
const staging = () => join(service.archive, "staging", second);

/** Restores the state of the archive that a crash after this number of moves leaves. The publication is committed. */
async function interruptAfter(moved: number): Promise<void> {
  const source = join(staging(), "package-1-of-attempt-1");
  await mkdir(join(source, "logs"), { recursive: true });
  for (const name of MOVES.slice(moved).toReversed()) await rename(join(object, name), join(source, name));
  for (const name of ["inventory.json", "inventory.json.sha512"]) {
    if (MOVES.indexOf(name) >= moved) await copyFile(join(object, "v1", name), join(object, name));
  }
  const journal = { dataset, version: 2, package: "package-1-of-attempt-1" };
  await writeFile(join(staging(), "publishing.json"), `${JSON.stringify(journal)}\n`);
}

/** Restores the state of the database between the commit and the end of publication. */
async function forgetTheEnd(): Promise<void> {
  const database = await service.database();
  await database.queries
    .updateTable("submission")
    .set({ status: "packaging", staged: true, finished_at: null })
    .where("id", "=", second)
    .execute();
  await database.queries
    .deleteFrom("event")
    .where("submission_id", "=", second)
    .where("type", "=", "completed")
    .execute();
  await database.close();
}

test.each(POINTS)(
  "after %i of its moves, readers see one of the two versions, and the service completes the publication",
  { tags: "extended" },
  async (moved) => {
    await service.restart(async () => {
      await interruptAfter(moved);
      const visible = moved > MOVES.indexOf("inventory.json") ? 2 : 1;
      expect(JSON.parse(await readFile(join(object, "inventory.json"), "utf8")).head).toBe(`v${visible}`);
      await expectContents(service.archive, dataset, visible, visible === 2 ? contents.after : contents.before);
      const { code, lines } = await verify(moved % 2 === 0 ? service.archive : object);
      const said = { code: "WP01", detail: expect.stringContaining(`Version ${visible} is visible`) };
      expect([code, lines]).toEqual([0, [expect.objectContaining(said), expect.objectContaining({ ok: true })]]);
      await forgetTheEnd();
    });
    await service.api.until(second, ["completed"]);
    await expectContents(service.archive, dataset, 2, contents.after);
    await expectContents(service.archive, dataset, 1, contents.before);
    await expectValid(service.archive);
    expect(await readdir(join(service.archive, "staging"))).toEqual([]);
  },
);

test("an error in another part of the dataset is reported while a version is published", async () => {
  await service.restart(async () => {
    await interruptAfter(2);
    await writeFile(join(object, "v1/content/data/b.csv"), "flipped");
    const { code, lines } = await verify(service.archive);
    expect([code, lines.map((line) => line.code)]).toEqual([1, ["WP01", "E092", undefined]]);
    await writeFile(join(object, "v1/content/data/b.csv"), "content of b.csv");
    await forgetTheEnd();
  });
  await service.api.until(second, ["completed"]);
});

test.each([0, 3])(
  "after %i of its moves a rebuild completes it if the database is lost",
  { tags: "extended" },
  async (moved) => {
    await service.restart(async () => {
      await interruptAfter(moved);
      await service.recreateDatabase();
      expect((await runCommand(["rebuild"], service.data, { env: service.settings })).code).toBe(0);
    });
    expect((await service.api.get(`/dataset/${dataset}`)).json).toMatchObject({ version: 2 });
    await expectContents(service.archive, dataset, 2, contents.after);
    await expectValid(service.archive);
  },
);
