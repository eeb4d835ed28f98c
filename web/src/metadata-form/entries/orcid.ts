const SPELLING = /^(?:(?:https?:\/\/)?(?:www\.)?orcid\.org\/)?(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\/?$/i;

/** The state of an ORCID iD during input: empty, incomplete, right, or wrong. */
type OrcidState = "empty" | "unfinished" | "right" | "wrong";

/** Validates an ORCID iD or its URL by format and check digit (ISO 7064 MOD 11-2), as the service does. */
export function judgeOrcid(text: string): OrcidState {
  const written = text.trim();
  if (written === "") return "empty";
  const digits = SPELLING.exec(written)?.slice(1).join("").toUpperCase();
  if (digits === undefined) return isBeginning(written) ? "unfinished" : "wrong";
  return checkDigit(digits.slice(0, 15)) === digits.slice(15) ? "right" : "wrong";
}

function isBeginning(text: string): boolean {
  const bare = text.replace(/^(?:https?:\/\/)?(?:www\.)?orcid\.org\//i, "");
  if (/^[\d-]*$/.test(bare)) return bare.replaceAll("-", "").length < 16;
  return "https://www.orcid.org/".startsWith(bare.toLowerCase()) || "orcid.org/".startsWith(bare.toLowerCase());
}

function checkDigit(digits: string): string {
  let total = 0;
  for (const digit of digits) total = ((total + Number(digit)) * 2) % 11;
  const check = (12 - total) % 11;
  return check === 10 ? "X" : String(check);
}
