import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { runCommand } from "../program/run-command.ts";
import type { TestService } from "../program/service.ts";

/** Imports files with the command. With the embedded database the service is stopped meanwhile, and its address changes. */
export async function importVocabularies(
  service: TestService,
  files: Record<string, string>,
  ...args: string[]
): Promise<void> {
  const run = async () => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(service.data, name);
      await writeFile(file, content);
      const { code, stderr } = await runCommand(["vocabulary", "import", file, ...args], service.data, {
        env: service.settings,
      });
      expect(code, stderr).toBe(0);
    }
  };
  if (inject("onPostgres")) await run();
  else await service.restart(run);
}
