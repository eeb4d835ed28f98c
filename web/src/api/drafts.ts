/** The prefix of all storage keys of drafts. */
const PLACE = "accession.draft";

/**
 * The storage key of a draft. Each owner has one draft for new datasets, and one for each dataset that gets a new version.
 * @param owner empty if the service requires no sign-in
 */
export function placeOfDraft(owner: string, dataset: string | undefined): string {
  return `${placesOf(owner)}${dataset === undefined ? "" : `.${dataset}`}`;
}

/** Deletes all drafts of an owner, because they contain names and addresses. */
export function dropDraftsOf(owner: string): void {
  const own = placesOf(owner);
  try {
    for (const place of Object.keys(localStorage)) {
      if (place === own || place.startsWith(`${own}.`)) localStorage.removeItem(place);
    }
  } catch {
    // A browser that forbids reading has stored nothing.
  }
}

/** Encoded, so that no owner's name begins like another's with a dot behind it. */
function placesOf(owner: string): string {
  return owner === "" ? PLACE : `${PLACE}@${encodeURIComponent(owner).replaceAll(".", "%2E")}`;
}
