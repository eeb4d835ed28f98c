import { type components, createClient, orThrow } from "@accession/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { LANGUAGES, type Language } from "../words/words.ts";
import { SERVICE_URL, untilAnswered } from "./client.ts";
import { pagesQuery } from "./queries.ts";

export type Review = components["schemas"]["Review"];

const PAGE = 200;

/** An API client with the secret of a reviewer link. It has nothing in common with the session of a signed-in user. */
const clientOf = (secret: string) => createClient({ baseUrl: SERVICE_URL, token: secret });

/** The version that the link opens. The page counts as one visit in all its languages. */
export function reviewQuery(secret: string, lang: Language) {
  return queryOptions({
    queryKey: ["review", secret, lang],
    queryFn: async ({ signal, client }) => {
      const isContinued = Object.keys(LANGUAGES).some(
        (one) => client.getQueryData(["review", secret, one]) !== undefined,
      );
      const params = { query: { lang, ...(isContinued && { continued: true }) } };
      return orThrow(await clientOf(secret).GET("/review", { params, signal: untilAnswered(signal) }));
    },
    // In the other language, until it is there.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Pages of files. */
export function reviewFilesQuery(secret: string) {
  return {
    ...pagesQuery(["review", secret, "files"], (page, signal) => {
      const query = { limit: PAGE, ...page };
      return clientOf(secret).GET("/review/files", { params: { query }, signal: untilAnswered(signal) });
    }),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** An address from which the browser saves a file once. @param path undefined for all files */
export async function reviewDownload(secret: string, path: string | undefined): Promise<string> {
  const body = path === undefined ? {} : { path };
  const { url } = orThrow(await clientOf(secret).POST("/review/download-link", { body }));
  return new URL(url, SERVICE_URL).href;
}
