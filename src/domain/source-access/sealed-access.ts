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
type SealedCredentials = (S3Credentials | { roleArn: string }) & { requesterPays?: true };

/** All columns of a submission that describe the access to its bucket. */
interface StoredAccess extends SealedAccess {
  id: string;
  owner: string;
  endpoint: string;
  bucket: string;
  /** As detected by the check: `path` or `virtual`. */
  addressing: string;
  region: string | null;
}

/**
 * The external id with which this service assumes roles for an owner. It follows from the owner’s name and the service’s secret
 * key, so that no other owner, and no other service, has the same, and none can choose it.
 */
export function externalIdOf(vault: Vault, owner: string): string {
  return vault.fingerprint("external id of roles", owner);
}

/** Encrypts the credentials of a bucket. No other code does. */
export function sealAccess(
  vault: Vault,
  submissionId: string,
  { credentials, role, requesterPays }: SourceAccess,
): SealedAccess {
  if (credentials === undefined && role === undefined) return { credentials: null, anonymous: true };
  const identity = role === undefined ? credentials : { roleArn: role.arn };
  const sealed = { ...identity, ...(requesterPays === true && { requesterPays }) };
  return { credentials: vault.sealAs("bucket credentials", submissionId, sealed), anonymous: false };
}

/**
 * Decrypts the credentials of a bucket. No other code does.
 * @throws Problem `credentials_required` if they have been erased
 */
export function openAccess(vault: Vault, stored: StoredAccess): SourceAccess {
  const { id, owner, endpoint, bucket, addressing, region, credentials, anonymous } = stored;
  if (credentials === null && !anonymous) throw new Problem("credentials_required");
  const place = { endpoint, bucket, pathStyle: addressing === "path", ...(region !== null && { region }) };
  if (credentials === null) return place;
  const { requesterPays, ...opened } = vault.openAs<SealedCredentials>("bucket credentials", id, credentials);
  const identity =
    "roleArn" in opened
      ? { role: { arn: opened.roleArn, externalId: externalIdOf(vault, owner) } }
      : { credentials: opened };
  return { ...place, ...identity, ...(requesterPays && { requesterPays }) };
}
