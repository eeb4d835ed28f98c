import type { TestProject } from "vitest/node";
import createEmbedded from "./embedded-template.ts";
import startPostgres from "./postgres-template.ts";

/** Creates the templates of both databases at the same time. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends = await Promise.all([createEmbedded(project), startPostgres(project)]);
  return async () => {
    for (const end of ends) await end();
  };
}
