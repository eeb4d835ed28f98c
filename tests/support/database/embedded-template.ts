import { cpSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../src/db/database.ts";
import { createQueueTables } from "./queue-tables.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of a new embedded database. */
    template: string;
  }
}

/**
 * Creates the embedded database once per run, which takes seconds. Every test's service gets a separate copy. Tests and the
 * programs that they start share compiled modules.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const compiled = await mkdtemp(join(tmpdir(), "accession-compiled-"));
  // Applies to the processes that run the tests and to their threads, which start after this function.
  process.env.NODE_COMPILE_CACHE = compiled;
  const template = await mkdtemp(join(tmpdir(), "accession-template-"));
  const database = await openDatabase({ folder: join(template, "database") });
  await createQueueTables(database);
  await database.close();
  project.provide("template", template);
  return async () => {
    // A program that is just ending can still write compiled modules.
    const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
    for (const folder of [template, compiled]) await rm(folder, removal);
  };
}

let compiled: Promise<unknown> | undefined;
/** TypeScript declares it only for browsers. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Buffer): Promise<unknown> } };

/**
 * Compiles the embedded database for all that this process opens: while a compiled module exists, V8 uses its code for the
 * same bytes in all threads.
 */
export async function compileDatabase(): Promise<void> {
  compiled ??= readFile(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"))).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  await compiled;
}

/** Creates a data folder that contains only a new database. */
export async function createDataFolder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "accession-data-"));
  cpSync(inject("template"), data, { recursive: true });
  return data;
}
