import type { Described } from "../../export/described.ts";
import { PACKAGE_FORMATS } from "../../export/formats.ts";
import type { NormalizedMetadata } from "../../submission/metadata/normalized.ts";
import type { HttpContext } from "../context.ts";
import { addressOf, queryOf, type Version } from "./version.ts";

type PackageSelection = Described["facts"]["source"]["selection"];

/** What exports say of a version. */
export function describedOf(context: HttpContext, version: Version): Described {
  const { dataset, submission } = version;
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
      metadata: submission.metadata as NormalizedMetadata,
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
