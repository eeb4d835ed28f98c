import { orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api, SERVICE_URL } from "./client.ts";
import { verifySignature } from "./verify-signature.ts";

/** The address of the public keys for receipts. */
export const KEYS_URL = `${SERVICE_URL}.well-known/jwks.json`;

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
