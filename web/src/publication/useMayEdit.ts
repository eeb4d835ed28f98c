import type { Publication } from "../api/publications.ts";
import { useCaller } from "../api/service.ts";

/** Roles of callers who may change the metadata of a dataset that they can see; the service decides. */
const EDITORS = ["submitter", "curator", "admin"];

/** Whether the user may change the metadata of this version now. Approved metadata are fixed. */
export function useMayEdit({ state }: Publication, isLatest: boolean): boolean {
  const roles = useCaller()?.roles ?? [];
  return isLatest && state !== "approved" && state !== "withdrawn" && roles.some((role) => EDITORS.includes(role));
}
