/** What of a browser’s storage the page uses. */
interface BrowserStorage {
  /** What was kept at a place; undefined where there is nothing, or nothing that can be read. */
  read(place: string): unknown;
  write(place: string, value: unknown): void;
  remove(place: string): void;
}

/** Kept for this browser. */
export const inBrowser = keptIn(() => localStorage);
/** Kept as long as the tab is open. */
export const inTab = keptIn(() => sessionStorage);

/**
 * Keeps values as JSON. A browser may refuse to keep anything, by settings or because it is full: then the page remembers
 * it as long as it is open. @param open throws where storage is refused
 */
function keptIn(open: () => Storage): BrowserStorage {
  const memory = new Map<string, string>();
  return {
    read(place) {
      try {
        return JSON.parse(memory.get(place) ?? open().getItem(place) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(place, value) {
      const text = JSON.stringify(value);
      try {
        open().setItem(place, text);
        memory.delete(place);
      } catch {
        memory.set(place, text);
      }
    },
    remove(place) {
      memory.delete(place);
      try {
        open().removeItem(place);
      } catch {
        // What was never kept is gone already.
      }
    },
  };
}

/** A random identifier of 128 bits. (`crypto.randomUUID` is missing on pages that were loaded over plain HTTP.) */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The prefix of all storage keys of drafts. */
const PLACE = "accession.draft";

/**
 * The storage key of a draft. Each owner has one draft for new datasets, and one for each dataset that gets a new version.
 * @param owner empty if the service requires no sign-in
 */
export function placeOfDraft(owner: string, dataset: string | undefined): string {
  return `${placesOf(owner)}${dataset === undefined ? "" : `.${dataset}`}`;
}

/** Whether a storage key is that of a draft of an owner. */
export function isPlaceOf(owner: string, place: string): boolean {
  const own = placesOf(owner);
  return place === own || place.startsWith(`${own}.`);
}

/** Deletes all drafts of an owner, because they contain names and addresses. */
export function dropDraftsOf(owner: string): void {
  try {
    for (const place of Object.keys(localStorage)) if (isPlaceOf(owner, place)) localStorage.removeItem(place);
  } catch {
    // A browser that forbids reading has stored nothing.
  }
}

/** Encoded, so that no owner's name begins like another's with a dot behind it. */
function placesOf(owner: string): string {
  return owner === "" ? PLACE : `${PLACE}@${encodeURIComponent(owner).replaceAll(".", "%2E")}`;
}
