import type { Described } from "../../export/described.ts";
import { PACKAGE_FORMATS } from "../../export/formats.ts";
import type { HttpContext } from "../context.ts";
import { readDocuments } from "../submissions.ts";
import { addressOf, queryOf, type Version } from "./version.ts";

type PackageSelection = Described["facts"]["source"]["selection"];

/** What exports say of a version. */
export async function describedOf(context: HttpContext, version: Version): Promise<Described> {
  const { dataset, submission } = version;
  const { metadata } = await readDocuments(context, submission.id);
  const url = addressOf(context, dataset);
  const query = queryOf(version);
  const { prefix, include, exclude } = submission.selection as PackageSelection;
  return {
    facts: {
      datasetId: dataset.id,
      version: version.number,
      submissionId: submission.id,
      publisher: context.publisher,
      publishedAt: version.publishedAt.toISOString(),
      metadata,
      source: {
        endpoint: submission.endpoint,
        region: submission.region,
        bucket: submission.bucket,
        selection: { ...(prefix && { prefix }), ...(include && { include }), ...(exclude && { exclude }) },
      },
      objects: version.objects,
      bytes: version.bytes,
      excluded: submission.objects_excluded,
    },
    url,
    query,
    downloads: Object.entries(PACKAGE_FORMATS).map(([name, { title, profile }]) => ({
      url: `${url}/export/${name}${query}`,
      name: title,
      mediaType: "application/zip",
      profile,
    })),
  };
}
