/** What the place of every draft begins with. */
const PLACE = "accession.draft";

/**
 * Where in the browser a draft lies: one for new datasets, one for each dataset that gets a new version, and none of
 * one person's where another's is looked for. @param owner empty where nobody signs in
 */
export function placeOfDraft(owner: string, dataset: string | undefined): string {
  return `${placesOf(owner)}${dataset === undefined ? "" : `.${dataset}`}`;
}

/** Lets go of every draft of one owner: names and addresses are not for whoever uses this browser next. */
export function dropDraftsOf(owner: string): void {
  const own = placesOf(owner);
  try {
    for (const place of Object.keys(localStorage)) {
      if (place === own || place.startsWith(`${own}.`)) localStorage.removeItem(place);
    }
  } catch {
    // A browser that refuses to be looked into has kept nothing.
  }
}

/** Encoded, so that no owner's name begins like another's with a dot behind it. */
function placesOf(owner: string): string {
  return owner === "" ? PLACE : `${PLACE}@${encodeURIComponent(owner).replaceAll(".", "%2E")}`;
}
