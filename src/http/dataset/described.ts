import type { Described } from "../../export/described.ts";
import { PACKAGE_FORMATS } from "../../export/formats.ts";
import type { HttpContext } from "../context.ts";
import { readDocuments } from "../submissions.ts";
import { mediaTypesOf } from "./files.ts";
import { addressOf, queryOf, type Version } from "./version.ts";

type PackageSelection = Described["facts"]["source"]["selection"];

/**
 * What exports say of a version. Publisher and addresses are those of the present settings, whatever they were when the
 * version was archived. Media types are those of no file: see {@link fullyDescribed}.
 */
export async function describedOf(context: HttpContext, version: Version): Promise<Described> {
  const { dataset, number, submission } = version;
  const { metadata } = await readDocuments(context, submission.id);
  const url = addressOf(context, dataset);
  const query = queryOf(version);
  const { prefix, include, exclude } = submission.selection as PackageSelection;
  return {
    facts: {
      datasetId: dataset.id,
      version: number,
      latest: dataset.latest_version,
      url,
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
      mediaTypes: [],
    },
    query,
    downloads: Object.entries(PACKAGE_FORMATS).map(([name, { title, profile }]) => ({
      url: `${url}/export/${name}?version=${number}`,
      name: title,
      mediaType: "application/zip",
      profile,
    })),
  };
}

/** As {@link describedOf}, with the media types of the files, for which the first 10,000 are looked at. */
export async function fullyDescribed(context: HttpContext, version: Version): Promise<Described> {
  const described = await describedOf(context, version);
  return { ...described, facts: { ...described.facts, mediaTypes: await mediaTypesOf(context, version) } };
}
