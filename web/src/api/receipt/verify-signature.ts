/** The result of verifying a receipt's signature. `unsupported`: this browser cannot verify Ed25519, at least on this page. */
export type Signature =
  | { state: "holds" | "broken" | "unknown-key"; kid: string }
  | { state: "unsupported" | "no-receipt"; kid?: undefined };

/**
 * Verifies a compact JWS (RFC 7515) with an Ed25519 signature (RFC 8037), with the key that its `kid` names.
 * @param keys of a JWK set (RFC 7517)
 */
export async function verifySignature(jws: string, keys: readonly unknown[]): Promise<Signature> {
  const [header = "", payload = "", signature = "", ...more] = jws.trim().split(".");
  const { alg, typ, kid, crit } = headerOf(header);
  const isReceipt =
    alg === "EdDSA" &&
    typ === "accession-receipt+jws" &&
    typeof kid === "string" &&
    crit === undefined &&
    more.length === 0;
  if (!isReceipt) return { state: "no-receipt" };
  const jwk = keys.map(memberOf).find((key) => key.kid === kid && key.kty === "OKP" && key.crv === "Ed25519");
  if (typeof jwk?.x !== "string") return { state: "unknown-key", kid };
  // Browsers provide no cryptography to pages that were loaded over plain HTTP from another machine.
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  if (subtle === undefined) return { state: "unsupported" };
  const publicKey = await subtle
    .importKey("jwk", { kty: "OKP", crv: "Ed25519", x: jwk.x }, { name: "Ed25519" }, false, ["verify"])
    .catch(() => undefined);
  if (publicKey === undefined) return { state: "unsupported" };
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const holds = await subtle.verify({ name: "Ed25519" }, publicKey, bytesOf(signature) ?? new Uint8Array(), signed);
  return { state: holds ? "holds" : "broken", kid };
}

function headerOf(part: string): Record<string, unknown> {
  const bytes = bytesOf(part);
  if (bytes === undefined) return {};
  try {
    return memberOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // Not a JWS header.
    return {};
  }
}

/** The bytes of base64url without padding (RFC 4648, section 5); undefined for anything else. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function memberOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
