import { canonicalOrcid } from "@accession/rules";

/** The state of an ORCID iD during input: empty, incomplete, right, or wrong. */
type OrcidState = "empty" | "unfinished" | "right" | "wrong";

/** Judges an ORCID iD or its URL as the service does. */
export function judgeOrcid(text: string): OrcidState {
  const written = text.trim();
  if (written === "") return "empty";
  if (canonicalOrcid(written) !== undefined) return "right";
  return isBeginning(written) ? "unfinished" : "wrong";
}

function isBeginning(text: string): boolean {
  const bare = text.replace(/^(?:https?:\/\/)?(?:www\.)?orcid\.org\//i, "");
  if (/^[\d-]*$/.test(bare)) return bare.replaceAll("-", "").length < 16;
  return "https://www.orcid.org/".startsWith(bare.toLowerCase()) || "orcid.org/".startsWith(bare.toLowerCase());
}
