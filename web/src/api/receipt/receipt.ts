import { type components, orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api, SERVICE_URL } from "../client.ts";
import { verifySignature } from "./verify-signature.ts";

/** The address of the public keys for receipts. */
export const KEYS_URL = `${SERVICE_URL}.well-known/jwks.json`;

type Digests = components["schemas"]["SubmissionDigests"];

/** The members of a receipt that the page shows. {@link signatureQuery} verifies its signature. */
export interface Receipt {
  submission: { id: string };
  dataset: { id: string; version: number; identifier: string };
  title: string;
  counts: { listed: number; stored: number; excluded: number };
  bytes: number;
  /** Number of files by the strongest check that they passed. */
  verified: Partial<Record<"submitter" | "checksum" | "md5" | "md5-parts" | "length", number>>;
  /** The first excluded objects. */
  exclusions: { key: string; reason: string }[];
  exclusionsTotal: number;
  /** The first objects that changed while they were read. */
  drift: { key: string; change: "changed" | "vanished" | "appeared" }[];
  driftTotal: number;
  /** Only for a submission with digest lists. */
  digestLists?: Pick<Digests, "lists" | "differing"> & Omit<NonNullable<Digests["comparison"]>, "missing">;
  /** Absent for the first version of a dataset. */
  changes?: Record<"added" | "changed" | "removed", { total: number; keys?: string[] }> & {
    since: number;
    kept: { total: number; notRead?: number };
  };
  firstReadAt: string;
  lastReadAt: string;
  issuedAt: string;
  issuer: { publisher: string; url: string };
  source: {
    endpoint: string;
    bucket: string;
    selection: { prefix?: string; include?: string[]; exclude?: string[] };
  };
  sourceMayBeDeleted: "yes" | "no";
  statement: string;
}

/** The receipt of a completed submission: the signed text and its decoded payload. */
export function receiptQuery(submission: string) {
  return queryOptions({
    queryKey: ["receipt", submission],
    queryFn: async ({ signal }) => {
      const params = { path: { id: submission } };
      return receiptOf(orThrow(await api.GET("/submission/{id}/receipt", { params, parseAs: "text", signal })));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A receipt with its payload: the middle part of a compact JWS (RFC 7515). */
export function receiptOf(jws: string): { jws: string; receipt: Receipt } {
  const part = (jws.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
  return { jws, receipt: JSON.parse(new TextDecoder().decode(bytes)) as Receipt };
}

/** Verifies a receipt in this browser. The service only supplies the public keys. */
export function signatureQuery(submission: string, jws: string | undefined) {
  return queryOptions({
    queryKey: ["receipt", submission, "signature"],
    queryFn: async ({ signal }) => {
      const { keys } = orThrow(await api.GET("/.well-known/jwks.json", { signal }));
      return verifySignature(jws ?? "", keys);
    },
    enabled: jws !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
