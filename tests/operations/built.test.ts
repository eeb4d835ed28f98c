import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";

const built = fileURLToPath(new URL("../../dist/src/cli/accession.js", import.meta.url));

// The sources find files that the build can leave out.
test.skipIf(!existsSync(built))("the built service starts (needs npm run build)", async () => {
  const data = await createDataFolder();
  const program = await startProgram(data, {}, { module: built });
  expect((await program.api.get("/health/live")).status).toBe(200);
  expect(await program.end("SIGTERM")).toBe(0);
  await rm(data, { recursive: true });
});
