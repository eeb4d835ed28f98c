import type { components } from "@accession/client";
import { filledIn } from "../metadata-form/entries/lists.ts";
import { filled, metadataOf } from "../metadata-form/entries/metadata-of.ts";
import { type DataSource, type Draft, type Keys, type Lists, NO_LISTS } from "./draft.ts";

type Schemas = components["schemas"];

/** The data source as the API accepts it, without empty values. */
export function accessOf(dataSource: DataSource, keys: Keys): Schemas["S3Access"] {
  const { endpoint, bucket, region, style, anonymous, roleArn, requesterPays } = dataSource;
  const identity = filled(hasRole(dataSource) ? { roleArn } : { ...keys });
  return {
    endpoint: endpoint.trim(),
    bucket: bucket.trim(),
    ...filled({ region }),
    ...(style !== "auto" && { pathStyle: style === "path" }),
    ...(anonymous ? { anonymous } : { ...identity, ...(requesterPays && { requesterPays }) }),
  };
}

/** Whether the service reads the bucket with a role, so that no access key is sent. */
export function hasRole({ anonymous, roleArn }: DataSource): boolean {
  return !anonymous && roleArn.trim() !== "";
}

/** The selection of objects; undefined for all objects. */
export function selectionOf(dataSource: DataSource): Schemas["Selection"] | undefined {
  const { prefix, chosen, leftOut } = dataSource;
  const include = [...linesOf(dataSource.include), ...chosen];
  const exclude = [...linesOf(dataSource.exclude), ...leftOut];
  const selection = {
    ...(prefix !== "" && { prefix }),
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
  };
  return Object.keys(selection).length === 0 ? undefined : selection;
}

/** The body of a check and of a preview. */
export function checkOf(dataSource: DataSource, keys: Keys): Schemas["CheckRequest"] {
  const selection = selectionOf(dataSource);
  return { ...accessOf(dataSource, keys), ...(selection !== undefined && { selection }) };
}

/** The body of a preview. @param dataset the dataset that would get a new version */
export function previewOf(
  check: Schemas["CheckRequest"],
  dataset: string | undefined,
  digests: Pick<Schemas["PreviewRequest"], "digests"> = {},
): Schemas["PreviewRequest"] {
  return { ...check, ...digests, ...(dataset !== undefined && { dataset: { id: dataset } }) };
}

/** The body of a submission. @param revision of the upload whose files the page has compared */
export function uploadOf(
  draft: Draft,
  keys: Keys,
  dataset: string | undefined,
  revision?: number,
  lists: Lists = NO_LISTS,
): Schemas["UploadRequest"] {
  return {
    metadata: metadataOf(draft),
    ...sourceOf(draft.dataSource, keys, revision),
    ...digestsOf(draft.dataSource, lists),
    ...(dataset !== undefined && { dataset: { id: dataset } }),
    ...(draft.reserveDoi === true && { reserveDoi: true }),
  };
}

/** The member `digests` of requests. Without lists, it is absent, so that the manifests of a bag are used. */
export function digestsOf(dataSource: DataSource, lists: Lists): Pick<Schemas["UploadRequest"], "digests"> {
  const { base } = dataSource;
  const digests = dataSource.lists.map((name) => ({
    ...{ name, text: lists.get(name) ?? "" },
    ...(base !== "" && { base }),
  }));
  return digests.length === 0 ? {} : { digests };
}

function sourceOf(
  dataSource: DataSource,
  keys: Keys,
  revision: number | undefined,
): Pick<Schemas["UploadRequest"], "upload" | "s3Access" | "selection"> {
  if (dataSource.kind === "upload") {
    return { upload: { id: dataSource.upload, ...(revision !== undefined && { revision }) } };
  }
  const selection = selectionOf(dataSource);
  return { s3Access: accessOf(dataSource, keys), ...(selection !== undefined && { selection }) };
}

/** The patterns in a text, one per line. */
export function linesOf(text: string): string[] {
  return filledIn(text.split("\n"));
}
