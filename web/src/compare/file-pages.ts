import { nextCursor } from "@accession/client";

/** A file of the dataset. */
export interface ListedFile {
  path: string;
  bytes: number;
  /** Lower-case hex. */
  sha512: string;
}

/** The list of files could not be read. `status` is that of the response; undefined if there was none. */
export class ListUnavailable extends Error {
  readonly status: number | undefined;

  constructor(status?: number, cause?: unknown) {
    super("The list of files could not be read", { cause });
    this.status = status;
  }
}

const PAGE = 1_000;

/**
 * The files of a dataset, page by page.
 *
 * @param address of the list of a version: `/dataset/ID/files?version=1`
 * @param send how to request a page, for instance with a token
 * @throws ListUnavailable; the reason of the signal
 */
export async function* filePages(
  address: string,
  send: (request: Request) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<ListedFile[]> {
  const url = new URL(address, document.baseURI);
  url.searchParams.set("limit", String(PAGE));
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    if (cursor !== "") url.searchParams.set("cursor", cursor);
    const response = await send(new Request(url, { headers: { accept: "application/json" }, signal })).catch(
      (cause) => {
        signal.throwIfAborted();
        throw new ListUnavailable(undefined, cause);
      },
    );
    if (!response.ok) throw new ListUnavailable(response.status);
    yield (await response.json().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ListUnavailable(response.status, cause);
    })) as ListedFile[];
    cursor = nextCursor(response);
  }
}
