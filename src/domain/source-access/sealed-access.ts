import { Problem } from "../problems.ts";
import type { S3Credentials, SourceAccess } from "./access.ts";
import type { Vault } from "./vault.ts";

/** The columns of a submission that contain the secret part of its access. */
interface SealedAccess {
  /** Null once erased, and for an anonymous access. */
  credentials: Uint8Array | null;
  anonymous: boolean;
}

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
export function sealAccess(vault: Vault, submissionId: string, { credentials }: SourceAccess): SealedAccess {
  if (credentials === undefined) return { credentials: null, anonymous: true };
  return { credentials: vault.sealAs("bucket credentials", submissionId, credentials), anonymous: false };
}

/**
 * Decrypts the credentials of a bucket. No other code does.
 * @throws Problem `credentials_required` if they have been erased
 */
export function openAccess(vault: Vault, stored: StoredAccess): SourceAccess {
  const { id, endpoint, bucket, addressing, region, credentials, anonymous } = stored;
  if (credentials === null && !anonymous) throw new Problem("credentials_required");
  return {
    endpoint,
    bucket,
    pathStyle: addressing === "path",
    ...(region !== null && { region }),
    ...(credentials !== null && {
      credentials: vault.openAs<S3Credentials>("bucket credentials", id, credentials),
    }),
  };
}
