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
 * Makes the embedded database once a run, which takes seconds; every test's service gets a copy of its own. Programs
 * that tests start share what the engine has compiled.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const compiled = await mkdtemp(join(tmpdir(), "accession-compiled-"));
  // Not the name that the engine knows: the threads and processes of the tests themselves shall not write there.
  process.env.COMPILED_PROGRAMS = compiled;
  const template = await mkdtemp(join(tmpdir(), "accession-template-"));
  const database = await openDatabase({ folder: join(template, "database") });
  await database.close();
  project.provide("template", template);
  return async () => {
    for (const folder of [template, compiled]) await rm(folder, { recursive: true, force: true });
  };
}

/** A data folder with nothing in it but a fresh database. */
export async function makeDataFolder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "accession-data-"));
  await cp(inject("template"), data, { recursive: true });
  return data;
}
