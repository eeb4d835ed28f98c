import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";

describe("HEAD of a file that is not complete", () => {
  let data: string;
  let program: Program;
  const tus = new TusClient(() => program.api);
  const start = async () => {
    program = await startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });
  };

  beforeEach(async () => {
    data = await createDataFolder();
    await start();
  });
  afterEach(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  /** Changes with every write to the rows of the only upload and its only file. The program must have ended. */
  async function versionOfRows(): Promise<unknown> {
    const database = await openDatabase({ folder: join(data, "database") });
    const { rows } = await sql`select upload_area.xmin::text as area, upload_file.xmin::text as file
      from upload_area join upload_file on upload_file.area_id = upload_area.id`.execute(database.queries);
    await database.close();
    return rows;
  }

  test("states what survives kill -9, and writes nothing if no request adds bytes", async () => {
    const { files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "a", randomBytes(3_000_000));
    const body = new ReadableStream({ start: (stream) => stream.enqueue(bytes.subarray(0, 1_200_000)) });
    const sending = tus.patch(at, 0, body).catch(() => undefined);
    await expect.poll(() => tus.offset(at)).toBe(1_200_000);
    await program.end("SIGKILL");
    await sending;
    const versions: unknown[] = [];
    for (let asks = 0; asks < 2; asks++) {
      await start();
      expect((await tus.request("HEAD", at)).offset).toBe(1_200_000);
      await program.end("SIGKILL");
      versions.push(await versionOfRows());
    }
    // Only the first one had to end the request of the process that was killed.
    expect(versions[1]).toEqual(versions[0]);
    await start();
    expect(await tus.patch(at, 1_200_000, bytes.subarray(1_200_000))).toMatchObject({ status: 204, offset: 3_000_000 });
  });

  test("writes nothing after a request that has added nothing", async () => {
    const { files } = await tus.upload();
    const { at } = await tus.file(files, "a", randomBytes(1_000));
    const wrong = { "upload-checksum": `sha1 ${randomBytes(20).toString("base64")}` };
    expect(await tus.patch(at, 0, randomBytes(1_000), wrong)).toMatchObject({ status: 460 });
    await program.end("SIGTERM");
    const before = await versionOfRows();
    await start();
    for (let asks = 0; asks < 3; asks++) expect((await tus.request("HEAD", at)).offset).toBe(0);
    await program.end("SIGTERM");
    expect(await versionOfRows()).toEqual(before);
  });
});
