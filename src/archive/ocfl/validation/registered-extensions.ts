/** Newest extension that was registered when this was written. */
const NEWEST = 12;
const NUMBERED = /^(\d{4})-[a-z0-9-]+$/;
const REGISTERED: ReadonlySet<string> = new Set([
  "0000-example-extension",
  "0001-digest-algorithms",
  "0002-flat-direct-storage-layout",
  "0003-hash-and-id-n-tuple-storage-layout",
  "0004-hashed-n-tuple-storage-layout",
  "0005-mutable-head",
  "0006-flat-omit-prefix-storage-layout",
  "0007-n-tuple-omit-prefix-storage-layout",
  "0008-schema-registry",
  "0009-digest-algorithms",
  "0010-differential-n-tuple-omit-prefix-storage-layout",
  "0011-direct-clean-path-layout",
  "0012-hash-and-no-prefix-id-n-tuple-storage-layout",
  "initial",
]);

/**
 * Whether an extension is registered with OCFL (https://ocfl.github.io/extensions/). Numbers that were given since then
 * cannot be known here, and count as registered.
 */
export function isRegistered(name: string): boolean {
  return REGISTERED.has(name) || Number(NUMBERED.exec(name)?.[1] ?? 0) > NEWEST;
}
