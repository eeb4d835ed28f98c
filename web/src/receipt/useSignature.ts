import { useQuery } from "@tanstack/react-query";
import { signatureQuery } from "../api/receipt.ts";
import type { Signature } from "../api/verify-signature.ts";

/** The verification result of a receipt's signature; undefined until it is known. @param jws undefined until it is fetched */
export function useSignature(
  id: string,
  jws: string | undefined,
): { signature: Signature | undefined; error: Error | null } {
  const { data, error } = useQuery(signatureQuery(id, jws));
  return { signature: data, error };
}
