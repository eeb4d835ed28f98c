import { useQuery } from "@tanstack/react-query";
import { signatureQuery } from "../api/receipt-signature.ts";
import type { Signature } from "../api/verify-signature.ts";

/** What this browser found out about a receipt's signature; undefined until then. @param jws undefined until it is fetched */
export function useSignature(
  id: string,
  jws: string | undefined,
): { signature: Signature | undefined; error: Error | null } {
  const { data, error } = useQuery(signatureQuery(id, jws));
  return { signature: data, error };
}
