import { type Client, type components, nextCursor, orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import type { Language } from "../words/words.ts";
import { api, SERVICE_URL, untilAnswered } from "./client.ts";
import { pagesQuery } from "./queries.ts";

export type Dataset = components["schemas"]["Dataset"];

export type DatasetFile = components["schemas"]["DatasetFile"];

export type Version = components["schemas"]["Version"];

export type Tombstone = components["schemas"]["Tombstone"];

export type WithdrawnPublication = components["schemas"]["WithdrawnPublication"];

/** A package format for download. */
export type Package = "ro-crate" | "bagit";

/** Archived versions never change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const PAGE = 50;
/** Files whose paths begin with the path of a file, which is among the first if the list is in order. */
const FILES_PAGE = 1_000;
/** The folder of a package that contains the objects of the bucket. */
export const DATA = "data";

/** Pages of datasets, newest first. @param q words to find in title, description, authors and keywords */
export function datasetsQuery(q: string) {
  return pagesQuery(["datasets", q], (page, signal) => {
    const query = { limit: PAGE, ...(q !== "" && { q }), ...page };
    return api.GET("/dataset", { params: { query }, signal: untilAnswered(signal) });
  });
}

/** A dataset and its versions. */
export function datasetQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id],
    queryFn: async ({ signal }) =>
      orThrow(await api.GET("/dataset/{id}", { params: { path: { id } }, signal: untilAnswered(signal) })),
  });
}

/** The files of a version whose names are not possible on every system; null if the user may not see the files. */
export function unpackingQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, version, "unpacking"],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { version } };
      const answer = await api.GET("/dataset/{id}/unpacking", { params, signal });
      return answer.response.status === 403 ? null : orThrow(answer);
    },
    ...FOREVER,
  });
}

/** The permanent address of a file, a folder or a package of a version. It requires permission. */
export function addressOf(id: string, version: number, wanted: { path: string } | { format: Package }): string {
  const below =
    "path" in wanted ? `files/${wanted.path.split("/").map(encodeURIComponent).join("/")}` : `export/${wanted.format}`;
  return `${SERVICE_URL}dataset/${id}/${below}?version=${version}`;
}

/** Identifies a version. */
interface Source {
  id: string;
  version: number;
}

/** The part of a list of files that is wanted: a folder of the package, and a place in it or a search. */
interface FilesPlace {
  folder: string;
  from?: string;
  after?: string;
  find?: string;
}

/** A part of the list of files, which the service renders. */
export function filesPartQuery({ id, version }: Source, { folder, after, ...place }: FilesPlace, lang: Language) {
  const isPayload = folder === DATA || folder.startsWith(`${DATA}/`);
  const below = folder.slice(DATA.length + 1);
  const query = {
    ...{ version, lang, ...place },
    ...(isPayload && below !== "" && { folder: `${below}/` }),
    // The other folders of a package have only files that the archive has added.
    ...(!isPayload && { added: true }),
    ...(after !== undefined && { after: Number(after) }),
  };
  return queryOptions({
    queryKey: ["dataset", id, version, "files part", query],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query };
      return orThrow(await api.GET("/dataset/{id}/page/files", { params, signal: untilAnswered(signal) }));
    },
    // Until the other folder is there.
    placeholderData: (previous, earlier) =>
      earlier?.queryKey[1] === id && earlier.queryKey[2] === version ? previous : undefined,
  });
}

/** A file of a version; null if there is none with this path. */
export function fileQuery({ id, version }: Source, path: string) {
  return queryOptions({
    queryKey: ["dataset", id, version, "file", path],
    queryFn: async ({ signal }) => {
      for (let page: { cursor?: string } | undefined = {}; page !== undefined; ) {
        const query = { version, prefix: path, limit: FILES_PAGE, ...page };
        const answer = await api.GET("/dataset/{id}/files", { params: { path: { id }, query }, signal });
        const found = orThrow(answer).find((file) => file.path === path);
        if (found !== undefined) return found;
        const cursor: string | undefined = nextCursor(answer.response);
        page = cursor === undefined ? undefined : { cursor };
      }
      return null;
    },
    ...FOREVER,
  });
}

/** The list of all files of a version as CSV. */
export async function filesAsCsv({ id, version }: Source): Promise<Blob> {
  const params = { path: { id }, query: { version, format: "csv" as const } };
  return orThrow(await api.GET("/dataset/{id}/files", { params, parseAs: "blob" })) as unknown as Blob;
}

/** An address from which the browser saves a file, a folder or a package once, without the credentials of the client. */
export async function downloadLink(
  client: Client,
  id: string,
  version: number,
  body: { path: string } | { format: Package },
): Promise<string> {
  const params = { path: { id }, query: { version } };
  const { url } = orThrow(await client.POST("/dataset/{id}/download-link", { params, body }));
  return new URL(url, SERVICE_URL).href;
}
