import { orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

/** What the page shows of a receipt. */
export interface Receipt {
  verified: Record<"checksum" | "md5" | "md5-parts" | "length", number>;
  counts: { listed: number; stored: number; excluded: number };
  exclusions: { key: string; reason: string }[];
  driftTotal: number;
  /** Absent in that of a first version. */
  changes?: Record<"added" | "changed" | "removed" | "kept", { total: number; keys?: string[] }> & { since: number };
  source: { endpoint: string; bucket: string };
  sourceMayBeDeleted: "yes" | "no";
  statement: string;
}

/** The receipt of a completed submission: as it was signed, and what it says. */
export function receiptQuery(submission: string) {
  return queryOptions({
    queryKey: ["receipt", submission],
    queryFn: async ({ signal }) => {
      const params = { path: { id: submission } };
      const signed = orThrow(await api.GET("/submission/{id}/receipt", { params, parseAs: "text", signal }));
      return { signed, receipt: payloadOf(signed) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Of a compact JWS (RFC 7515). Whether the signature holds is for “accession receipt verify” to say. */
function payloadOf(signed: string): Receipt {
  const [, payload = ""] = signed.split(".");
  const binary = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Receipt;
}
