import type { AccessKind } from "../../../packages/rules/src/index.ts";

/** By the Confederation of Open Access Repositories, whose vocabulary distinguishes embargoes. */
const COAR = "http://purl.org/coar/access_right/";
/** The vocabulary of the OpenAIRE guidelines for data archives. */
const OPENAIRE = "info:eu-repo/semantics/";

/** Who may read the files of a published version, in the vocabularies that harvesters read. */
export const ACCESS_TERMS: Record<AccessKind, { coar: string; openaire: string; label: string }> = {
  open: { coar: `${COAR}c_abf2`, openaire: `${OPENAIRE}openAccess`, label: "Open Access" },
  embargoed: { coar: `${COAR}c_f1cf`, openaire: `${OPENAIRE}embargoedAccess`, label: "Embargoed Access" },
  restricted: { coar: `${COAR}c_16ec`, openaire: `${OPENAIRE}restrictedAccess`, label: "Restricted Access" },
};
