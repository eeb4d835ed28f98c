import type { Api, Submission } from "./api.ts";

/** A response without the parts that change from request to request. */
export interface RecordedResponse {
  status: number;
  type: string | null;
  link: string | null;
  text: string;
}

/**
 * Requests all resources of submissions and datasets: lists, single submissions, their files (pages, states, CSV),
 * events, receipts, datasets. Returns the responses by path and requested media type.
 */
export async function recordResponses(
  api: Api,
  headers: Record<string, string>,
  ids: readonly string[],
): Promise<Record<string, RecordedResponse>> {
  const kept: Record<string, RecordedResponse> = {};
  const ask = async (path: string, accept = "application/json") => {
    const answer = await api.get(path, { ...headers, accept });
    // The address of the service changes at a restart.
    const link = answer.headers.get("link")?.replaceAll(api.url, "") ?? null;
    kept[`${path} (${accept})`] = {
      status: answer.status,
      type: answer.headers.get("content-type"),
      link,
      text: withoutInstance(answer.text).replaceAll(api.url, ""),
    };
    return { ...answer, next: /<([^>]+)>; rel="next"/.exec(link ?? "")?.[1] };
  };
  const askAll = async (path: string) => {
    for (let at: string | undefined = path; at !== undefined; ) at = (await ask(at)).next;
  };
  await askAll("/submission?limit=2");
  // Only words of titles: a rebuilt database contains only the title of a withdrawn dataset.
  for (const q of ["at", "or"]) await askAll(`/submission?limit=2&q=${q}`);
  for (const status of ["completed", "failed"]) await ask(`/submission?status=${status}`);
  for (const id of ids) {
    const { json } = await ask(`/submission/${id}`);
    await ask(`/submission/${id}/receipt`, "application/jose");
    await ask(`/submission/${id}/events`);
    await ask(`/submission/${id}/events?after=2&limit=3`);
    const files = `/submission/${id}/files`;
    await askAll(`${files}?limit=700`);
    await ask(`${files}?prefix=data/o`);
    for (const state of ["stored", "excluded", "failed"]) await ask(`${files}?limit=1000&state=${state}`);
    await ask(files, "text/csv");
    await ask(`${files}?limit=3`, "text/csv");
    const dataset = (json as Partial<Submission> | undefined)?.dataset?.id;
    if (dataset === undefined) continue;
    await ask(`/dataset/${dataset}`);
    await ask(`/dataset/${dataset}/versions`);
    await askAll(`/dataset/${dataset}/files?limit=700`);
    await ask(`/dataset/${dataset}/files/metadata/submission.json`);
    for (const format of ["datacite-json", "bibtex"]) await ask(`/dataset/${dataset}/export/${format}`);
  }
  return kept;
}

/** Empties the member `instance` of a problem, which contains the ID of the request. */
export function withoutInstance(text: string): string {
  return text.replace(/"instance":"[^"]*"/, '"instance":""');
}
