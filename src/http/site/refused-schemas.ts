import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { archivedGroup } from "../../describe/metadata/fields/archived-group.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";

/** Faults that were logged: each is logged once and not for each reader. */
const logged = new LRUCache<string, true>({ max: 10_000 });

/** Logs the archived schemas of fields that this version of the service refuses, once for each dataset in a process. */
export function logRefusedSchemas(
  { log }: Pick<FastifyRequest, "log">,
  dataset: string,
  { fields = {}, fieldSchemas = {} }: NormalizedMetadata,
): void {
  for (const [name, schema] of Object.entries(fieldSchemas)) {
    const key = `${dataset}/${name}`;
    const { refused } = archivedGroup({ name, schema, values: fields[name] ?? {} });
    if (refused === undefined || logged.has(key)) continue;
    logged.set(key, true);
    log.warn(
      { dataset, group: name, pointer: refused.pointer, reason: refused.message },
      "the archived schema of a group of fields is refused; its fields are shown without their titles",
    );
  }
}
