import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Attributes } from "./dois.ts";

/** Maximum size of a request, in bytes. */
const LARGEST = 10 * 2 ** 20;

/** The DOI in the path, in lower case: with a slash, or encoded. */
export function doiIn(url: URL): string | undefined {
  const path = url.pathname.startsWith("/dois/") ? url.pathname.slice("/dois/".length) : "";
  if (path === "") return undefined;
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    // Not encoded as UTF-8: no DOI has this name.
    return path.toLowerCase();
  }
}

/** The DOI that a request without one in its path creates: the one that it names, or a new one with its prefix. */
export function doiToCreate({ doi, prefix }: Attributes): string | undefined {
  if (typeof doi === "string" && doi !== "") return doi.toLowerCase();
  return typeof prefix === "string" ? `${prefix}/${randomBytes(5).toString("hex")}` : undefined;
}

/** The attributes of a request; undefined if it is not JSON:API or too large. */
export async function attributesIn(request: IncomingMessage): Promise<Attributes | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > LARGEST) return undefined;
    chunks.push(chunk as Buffer);
  }
  try {
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      data?: { type?: unknown; attributes?: unknown };
    };
    const attributes = data?.attributes ?? {};
    return data?.type === "dois" && typeof attributes === "object" ? (attributes as Attributes) : undefined;
  } catch {
    // What is not JSON is a bad request.
    return undefined;
  }
}
