import { Problem } from "../problems.ts";
import type { S3Credentials, SourceAccess } from "./access.ts";
import type { Vault } from "./vault.ts";

/** The columns of a submission that contain the secret part of its access. */
interface SealedAccess {
  /** Null once erased, and for an anonymous access. */
  credentials: Uint8Array | null;
  anonymous: boolean;
}

/** The encrypted content. That requesters pay is part of it, because their credentials determine who is charged. */
type SealedCredentials = S3Credentials & { requesterPays?: true };

/** All columns of a submission that describe the access to its bucket. */
interface StoredAccess extends SealedAccess {
  id: string;
  endpoint: string;
  bucket: string;
  /** As detected by the check: `path` or `virtual`. */
  addressing: string;
  region: string | null;
}

/** Encrypts the credentials of a bucket. No other code does. */
export function sealAccess(
  vault: Vault,
  submissionId: string,
  { credentials, requesterPays }: SourceAccess,
): SealedAccess {
  if (credentials === undefined) return { credentials: null, anonymous: true };
  const sealed: SealedCredentials = { ...credentials, ...(requesterPays === true && { requesterPays }) };
  return { credentials: vault.sealAs("bucket credentials", submissionId, sealed), anonymous: false };
}

/**
 * Decrypts the credentials of a bucket. No other code does.
 * @throws Problem `credentials_required` if they have been erased
 */
export function openAccess(vault: Vault, stored: StoredAccess): SourceAccess {
  const { id, endpoint, bucket, addressing, region, credentials, anonymous } = stored;
  if (credentials === null && !anonymous) throw new Problem("credentials_required");
  const place = { endpoint, bucket, pathStyle: addressing === "path", ...(region !== null && { region }) };
  if (credentials === null) return place;
  const { requesterPays, ...opened } = vault.openAs<SealedCredentials>("bucket credentials", id, credentials);
  return { ...place, credentials: opened, ...(requesterPays && { requesterPays }) };
}
