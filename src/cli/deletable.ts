import { selectedPart } from "../submission/selected.ts";
import type { Selection } from "../submission/selection.ts";

/** Of what a receipt says whether it may be deleted. */
export function deletable(selection: Selection): string {
  return selectedPart(selection) === undefined ? "the source" : "what was selected of the source";
}
