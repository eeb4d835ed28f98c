import { orThrow, type ProblemError } from "@accession/client";
import { fetchAsCaller } from "../api/client.ts";

/** The maximum size of an image in bytes, because an image must be read completely. */
export const MOST_PICTURE = 16 * 1024 * 1024;

/** Image types by their first bytes: only types that browsers display and that cannot contain scripts. */
const PICTURES: [type: string, at: number, beginning: string][] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
];

/** The media type of an image; undefined if the bytes do not begin as one that is shown. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return PICTURES.find(([, at, beginning]) => head.startsWith(beginning, at))?.[0];
}

/** The first bytes of a file of a dataset, with the token of the reader. @throws ProblemError */
export async function readFrom(url: string, bytes: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { range: `bytes=0-${bytes - 1}` };
  const response = await fetchAsCaller(new Request(url, { headers, signal }));
  if (!response.ok) orThrow({ response, error: (await response.json()) as ProblemError["problem"] });
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Shows the images of a text, which are files of a dataset, when they come into sight. One that cannot be shown is replaced by its text.
 * @param content not yet in the document, so that the browser does not ask for the images without the token of the reader
 * @returns a function that breaks off what is not finished, and releases the images
 */
export function showPictures(content: DocumentFragment): () => void {
  const urls = new Map<Element, string>();
  const shown: string[] = [];
  const leaving = new AbortController();
  const onSight = (entries: IntersectionObserverEntry[]) => {
    for (const { isIntersecting, target } of entries) {
      const url = urls.get(target);
      if (!isIntersecting || url === undefined) continue;
      observer.unobserve(target);
      void show(target as HTMLImageElement, url);
    }
  };
  // A screen before they are seen.
  const observer = new IntersectionObserver(onSight, { rootMargin: "100%" });
  for (const image of content.querySelectorAll<HTMLImageElement>(".readme img[src]")) {
    urls.set(image, new URL(image.getAttribute("src") ?? "", document.baseURI).href);
    image.removeAttribute("src");
    observer.observe(image);
  }
  return () => {
    leaving.abort();
    observer.disconnect();
    for (const url of shown) URL.revokeObjectURL(url);
  };

  async function show(image: HTMLImageElement, url: string): Promise<void> {
    const picture = await pictureFrom(url, leaving.signal);
    if (leaving.signal.aborted) return;
    if (picture === undefined) return image.replaceWith(image.alt);
    image.src = URL.createObjectURL(picture);
    shown.push(image.src);
  }
}

/** Undefined if the file is too large, or no image that is shown, or cannot be read. */
async function pictureFrom(url: string, signal: AbortSignal): Promise<Blob | undefined> {
  try {
    const bytes = await readFrom(url, MOST_PICTURE + 1, signal);
    const type = pictureType(bytes);
    return type === undefined || bytes.length > MOST_PICTURE ? undefined : new Blob([bytes], { type });
  } catch (error) {
    // The text of the image is in its place, and the file is in the list.
    if (!signal.aborted) console.warn("An image could not be read", error);
    return undefined;
  }
}
