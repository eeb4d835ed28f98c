import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../src/db/database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of an embedded database that has just been made. */
    template: string;
  }
}

/**
 * Makes the embedded database once a run, which takes seconds; every test's service gets a copy of its own. Tests and the
 * programs that they start share compiled modules.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const compiled = await mkdtemp(join(tmpdir(), "accession-compiled-"));
  // For the processes that run the tests, and the threads of services in them. They start after this function.
  process.env.NODE_COMPILE_CACHE = compiled;
  const template = await mkdtemp(join(tmpdir(), "accession-template-"));
  const database = await openDatabase({ folder: join(template, "database") });
  await database.close();
  project.provide("template", template);
  return async () => {
    for (const folder of [template, compiled]) await rm(folder, { recursive: true, force: true });
  };
}

/** A data folder with nothing in it but a fresh database. */
export async function createDataFolder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "accession-data-"));
  await cp(inject("template"), data, { recursive: true });
  return data;
}
