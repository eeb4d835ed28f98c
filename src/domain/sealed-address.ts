import type { Vault } from "./source-access/vault.ts";

/** An e-mail address as the database stores it. */
export interface SealedAddress {
  address: Uint8Array;
  /** Keyed hash for comparing addresses without storing them. */
  fingerprint: string;
}

/** Encrypts an address, because it is personal data. @param id of the submission, or name of the account */
export function sealAddress(vault: Vault, id: string, address: string): SealedAddress {
  return { address: vault.sealAs("mail address", id, address), fingerprint: fingerprintOf(vault, address) };
}

/** Decrypts an address that was encrypted for this id. */
export function openAddress(vault: Vault, id: string, { address }: Pick<SealedAddress, "address">): string {
  return vault.openAs<string>("mail address", id, address);
}

/** The keyed hash of an address, or of a list of addresses. */
export function fingerprintOf(vault: Vault, address: string): string {
  return vault.fingerprint("mail address", address.toLowerCase());
}
