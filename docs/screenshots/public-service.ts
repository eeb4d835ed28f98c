import { createClient, orThrow, type Submission, waitFor } from "../../packages/client/src/index.ts";
import { fillDemoBucket, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { startEmptyService } from "./demo-service.ts";
import { SCREENSHOT_METADATA } from "./metadata.ts";

/** A service whose catalogue has datasets, of which one has two versions. */
export interface PublicService extends AsyncDisposable {
  url: string;
  /** The id of the dataset with two versions. */
  dataset: string;
}

const OTHERS = [
  { title: "Leaf area of winter wheat in a dry season", access: "open" },
  { title: "Root scans of wheat seedlings in rhizotrons", access: "embargoed" },
  { title: "Soil moisture under wheat and clover", access: "restricted" },
] as const;

type Access = (typeof OTHERS)[number]["access"];

/** What a request for the publication states besides the access. */
const MORE = {
  open: {},
  embargoed: { embargoDate: "2099-01-01", reason: "The article is not published yet." },
  restricted: { reason: "The soil data are of a private field." },
};

/** Starts a service that publishes without review, and publishes datasets. The caller must dispose of it. */
export async function startPublicService(): Promise<PublicService> {
  const s3 = await startS3Server({ keepHistory: false });
  const service = await startEmptyService({ ACCESSION_PUBLICATION: "direct" });
  const client = createClient({ baseUrl: service.url });
  let buckets = 0;
  const archive = async (title: string, dataset?: string): Promise<string> => {
    const { bucket, accessKey, secretKey } = fillDemoBucket(s3, `wheat-${++buckets}`);
    if (dataset !== undefined) s3.put(bucket, "notes/corrections.txt", "The plots 7 and 8 were exchanged.\n");
    s3.addAccount({ accessKey, secretKey });
    const s3Access = { endpoint: s3.endpoint, bucket, accessKey, secretKey };
    const body = {
      metadata: { ...SCREENSHOT_METADATA, title },
      s3Access,
      ...(dataset && { dataset: { id: dataset } }),
    };
    const { id } = orThrow(await client.POST("/submission/upload/s3upload", { body }));
    const completed: Submission = await waitFor(client, id);
    if (completed.dataset === null) throw new Error(`The submission ${id} has no dataset`);
    return completed.dataset.id;
  };
  const publish = async (id: string, access: Access) => {
    const body = { agreement: true, access, ...MORE[access] } as const;
    orThrow(await client.POST("/dataset/{id}/publication/request", { params: { path: { id } }, body }));
  };
  for (const { title, access } of OTHERS) await publish(await archive(title), access);
  const dataset = await archive(SCREENSHOT_METADATA.title);
  await publish(dataset, "open");
  await archive(`${SCREENSHOT_METADATA.title}, corrected`, dataset);
  await publish(dataset, "open");
  return {
    url: service.url,
    dataset,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await s3.close();
    },
  };
}
