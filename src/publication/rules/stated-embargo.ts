import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { Remark } from "../../domain/problems.ts";
import type { PublicationState } from "./states.ts";

/** The access to the files of a version. */
export interface Access {
  access: AccessKind;
  /** `YYYY-MM-DD`, for `embargoed` only. */
  embargoDate: string | null;
}

/** States in which the owner chooses the access with the next request. */
const UNREQUESTED: ReadonlySet<PublicationState> = new Set(["private", "changes_requested", "declined"]);

/** Whether the owner chooses the access with the next request, so that it can be proposed. */
export function isAccessProposed(state: PublicationState): boolean {
  return UNREQUESTED.has(state);
}

/**
 * The access of a publication, or the one that the next request proposes: the embargo of the metadata unless it is over,
 * otherwise the last choice.
 *
 * @param stated end of the embargo in the metadata
 * @param today `YYYY-MM-DD`, UTC
 */
export function proposedAccess(
  { state, access, embargoDate }: Access & { state: PublicationState },
  stated: string | undefined,
  today: string,
): Access {
  const isProposed = isAccessProposed(state) && stated !== undefined && today < stated;
  return isProposed ? { access: "embargoed", embargoDate: stated } : { access, embargoDate };
}

/** Whether an access contradicts an embargo of the metadata that is not over. */
export function contradictsEmbargo(
  { access, embargoDate }: Access,
  stated: string | undefined,
  today: string,
): boolean {
  return stated !== undefined && today < stated && (access !== "embargoed" || embargoDate !== stated);
}

/** Warns that an embargo in the metadata of a published version has no effect, unless it is the embargo of the publication. */
export function embargoWarnings(
  publication: { state: PublicationState; access: AccessKind; embargo_date: string | null } | undefined,
  { embargoDate: stated }: { embargoDate?: string },
): Remark[] {
  if (publication?.state !== "published" || stated === undefined) return [];
  if (publication.access === "embargoed" && publication.embargo_date === stated) return [];
  const detail = "The version is published: the date in the metadata does not close its files.";
  return [{ pointer: "/metadata/embargoDate", code: "embargo_date_unused", detail }];
}
