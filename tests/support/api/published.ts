import { vi } from "vitest";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";
import type { TestService } from "../program/service.ts";
import { goodMetadata } from "./api.ts";
import { archiveAs, PublicationClient } from "./publications.ts";

/** No sign-in is configured: everybody is the owner. */
const NO_TOKEN = "none";

/**
 * Archives and publishes a dataset on a service without sign-in, and waits until the catalogue has it. An embargo of the metadata
 * is left out, because it would contradict open access.
 */
export async function publishAs(
  service: Pick<TestService, "api" | "url">,
  s3: S3Server,
  { request = {}, ...dataset }: Parameters<typeof archiveAs>[3] & { request?: object } = {},
): Promise<PublicationClient> {
  const { embargoDate: _, ...metadata } = (dataset.metadata ?? goodMetadata) as { embargoDate?: string };
  const archived = await archiveAs(service, s3, undefined, { ...dataset, metadata });
  const one = new PublicationClient(service, archived.dataset);
  await one.done(NO_TOKEN, "request", { agreement: true, access: "open", ...request });
  await one.until(NO_TOKEN, "published");
  await untilCatalogued(service, one.dataset);
  return one;
}

/** Waits until the catalogue has the newest version of a dataset, under this title if it is given. */
export async function untilCatalogued(
  service: Pick<TestService, "api" | "url">,
  dataset: string,
  title?: string,
): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { json } = await service.api.get("/datasets?limit=100");
      const entry = json.datasets.find(({ id }: { id: string }) => id === dataset);
      return entry !== undefined && (title === undefined || entry.title === title);
    },
    { interval: 50 },
  );
}
