import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import type { RecordKind } from "../../publication/rules/publication.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";
import type { PublicationRecord } from "./publication-record.ts";
import type { Receipt } from "./receipt.ts";
import type { ReviewRecord } from "./review-record.ts";

/** An Ed25519 key that signs receipts. `kid` is its RFC 7638 thumbprint. */
export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  /** Private. Written only to the key file. */
  privateJwk: JWK;
  publicJwk: JWK;
}

const ALGORITHM = "EdDSA";
const CURVE = "Ed25519";
const TYPE = "accession-receipt+jws";
const RECORD_TYPE = "accession-publication+jws";
const REVIEW_TYPE = "accession-review+jws";
const NAMES: Record<string, string> = {
  [TYPE]: "receipt",
  [RECORD_TYPE]: "publication record",
  [REVIEW_TYPE]: "review record",
};

/** Creates an Ed25519 key (RFC 8037). */
export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: CURVE, extractable: true });
  return signingKey(await exportJWK(privateKey));
}

/**
 * Loads the key from a file that contains a private JWK. Creates a missing file, durably and with mode 0600, if `make`
 * is set. Throws an Error that names the file, never its content, unless it contains an Ed25519 key that other users
 * cannot read.
 */
export async function loadSigningKey(file: string, options: { make?: boolean } = {}): Promise<SigningKey> {
  const text = await readKeyFile(file, options.make ?? false);
  if (text === undefined) {
    const key = await makeSigningKey();
    await writeKeyFile(file, JSON.stringify({ ...key.privateJwk, kid: key.kid }));
    return key;
  }
  try {
    return await signingKey(JSON.parse(text));
  } catch {
    // The cause would quote the file, and the file is a secret.
    throw new Error(`${file} does not contain a private Ed25519 key as a JWK`);
  }
}

/** A receipt as a compact JWS (RFC 7515, EdDSA), its key named by `kid`. */
export async function signReceipt(receipt: Receipt, key: SigningKey): Promise<string> {
  return sign(receipt, TYPE, key);
}

/** A publication record as a compact JWS, signed like a receipt, with another type. */
export async function signPublicationRecord(record: PublicationRecord, key: SigningKey): Promise<string> {
  return sign(record, RECORD_TYPE, key);
}

/** A review record as a compact JWS, signed in the same way. */
export async function signReviewRecord(record: ReviewRecord, key: SigningKey): Promise<string> {
  return sign(record, REVIEW_TYPE, key);
}

function sign(statement: object, typ: string, key: SigningKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(statement)))
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ })
    .sign(key.privateKey);
}

/** The signature was verified with a key of the JWKS; without a JWKS the signer is unknown. */
interface Verified {
  ok: true;
  signer: "established" | "not established";
  kid: string;
}

/** The result of verifying a receipt. */
export type ReceiptVerification = (Verified & { receipt: Receipt }) | { ok: false; detail: string };

/** The result of verifying a publication record. */
export type RecordVerification = (Verified & { record: PublicationRecord }) | { ok: false; detail: string };

/**
 * Verifies a receipt's signature with a JWKS, offline. Without a JWKS it only checks the format: “consistent, signer not
 * established”. Does not throw, whatever the text contains.
 */
export async function verifyReceipt(jws: string, jwks: JSONWebKeySet | undefined): Promise<ReceiptVerification> {
  const verified = await verifyStatement(jws, jwks, TYPE, parse);
  if (!verified.ok) return verified;
  const { statement: receipt, ...rest } = verified;
  return { ...rest, receipt };
}

/** Verifies a publication record in the same way. */
export async function verifyPublicationRecord(
  jws: string,
  jwks: JSONWebKeySet | undefined,
): Promise<RecordVerification> {
  const verified = await verifyStatement(jws, jwks, RECORD_TYPE, parseRecord);
  if (!verified.ok) return verified;
  const { statement: record, ...rest } = verified;
  return { ...rest, record };
}

/** The result of verifying a review record. */
export type ReviewVerification = (Verified & { record: ReviewRecord }) | { ok: false; detail: string };

/** Verifies a review record in the same way. */
export async function verifyReviewRecord(jws: string, jwks: JSONWebKeySet | undefined): Promise<ReviewVerification> {
  const verified = await verifyStatement(jws, jwks, REVIEW_TYPE, parseReview);
  if (!verified.ok) return verified;
  const { statement: record, ...rest } = verified;
  return { ...rest, record };
}

/** The kind of record that a text says of itself to be; undefined for any other text. Nothing is verified. */
export function claimedRecord(jws: string): RecordKind | undefined {
  try {
    const { typ } = decodeProtectedHeader(jws.trim());
    return typ === RECORD_TYPE ? "publication" : typ === REVIEW_TYPE ? "review" : undefined;
  } catch {
    // Any other text is none.
    return undefined;
  }
}

async function verifyStatement<T>(
  jws: string,
  jwks: JSONWebKeySet | undefined,
  type: string,
  read: (payload: Uint8Array) => T,
): Promise<(Verified & { statement: T }) | { ok: false; detail: string }> {
  const name = NAMES[type] ?? type;
  try {
    const { alg, kid, typ } = decodeProtectedHeader(jws.trim());
    if (alg !== ALGORITHM || typ !== type || kid === undefined) return fail(`This is not a ${name} of Accession`);
    if (jwks === undefined) return { ok: true, signer: "not established", kid, statement: read(payloadOf(jws.trim())) };
    const keys = createLocalJWKSet(jwks);
    const { payload } = await compactVerify(jws.trim(), keys, { algorithms: [ALGORITHM] });
    return { ok: true, signer: "established", kid, statement: read(payload) };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return fail(`It was signed with a key that is not in the JWKS. It may be the ${name} of another archive`);
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return fail(`The ${name} was changed after it was signed`);
    return fail(`This is not a ${name} of Accession`);
  }
}

/** Reads a receipt that this service signed and stored, without verification. @throws Error if it is no receipt */
export function receiptOf(jws: string): Receipt {
  return parse(payloadOf(jws.trim()));
}

/** Reads a publication record that this service signed and stored, without verification. @throws Error if it is none */
export function recordOf(jws: string): PublicationRecord {
  return parseRecord(payloadOf(jws.trim()));
}

/** Reads a review record that this service signed and stored, without verification. @throws Error if it is none */
export function reviewOf(jws: string): ReviewRecord {
  return parseReview(payloadOf(jws.trim()));
}

function fail(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}

function payloadOf(jws: string): Uint8Array {
  const parts = jws.split(".");
  const signature = Buffer.from(parts[2] ?? "", "base64url");
  if (parts.length !== 3 || signature.length !== 64) throw new Error("Not a compact JWS of Ed25519");
  return Buffer.from(parts[1] ?? "", "base64url");
}

/** Parses a receipt and checks only the members that its readers depend on, because the content was signed. */
function parse(payload: Uint8Array): Receipt {
  const receipt: Receipt = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  const texts = [
    receipt.dataset.id,
    receipt.dataset.identifier,
    receipt.digests.inventory.path,
    receipt.digests.inventory.sha512,
    receipt.digests.sourceManifest.path,
    receipt.digests.sourceManifest.sha512,
  ];
  if (!texts.every((text: unknown) => typeof text === "string")) throw new Error("Not a receipt");
  return receipt;
}

function parseRecord(payload: Uint8Array): PublicationRecord {
  const record: PublicationRecord = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  const { dataset, digests } = record;
  const texts = [dataset.id, record.identifier, record.state, record.access, digests.inventory.path, digests.reviewed];
  if (![...texts, digests.inventory.sha512, record.issuedAt].every((text: unknown) => typeof text === "string")) {
    throw new Error("Not a publication record");
  }
  return record;
}

function parseReview(payload: Uint8Array): ReviewRecord {
  const record: ReviewRecord = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  const texts: unknown[] = [record.dataset.id, record.publication.state, record.publication.access, record.issuedAt];
  const isReview =
    texts.every((text) => typeof text === "string") && Number.isInteger(record.through + record.publicationRecords);
  if (!isReview || !Array.isArray(record.entries) || !Array.isArray(record.dois))
    throw new Error("Not a review record");
  return record;
}

async function signingKey(jwk: JWK): Promise<SigningKey> {
  if (jwk.kty !== "OKP" || jwk.crv !== CURVE || typeof jwk.d !== "string" || typeof jwk.x !== "string") {
    throw new Error("Not a private Ed25519 key");
  }
  const kid = await calculateJwkThumbprint(jwk);
  const publicJwk: JWK = { kty: "OKP", crv: CURVE, x: jwk.x, kid, alg: ALGORITHM, use: "sig" };
  const privateKey = await importJWK({ kty: "OKP", crv: CURVE, x: jwk.x, d: jwk.d }, ALGORITHM);
  if (privateKey instanceof Uint8Array) throw new Error("Not a private Ed25519 key");
  return { kid, privateKey, privateJwk: { kty: "OKP", crv: CURVE, x: jwk.x, d: jwk.d }, publicJwk };
}
