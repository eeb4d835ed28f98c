import { useState } from "react";
import { useCaller, useService } from "../api/service.ts";

/** In whose name is written here: empty where nobody signs in, undefined until it is known. */
export function useOwner(): string | undefined {
  const isOpen = useService()?.signIn.method === "none";
  const owner = useCaller()?.owner;
  const [known, setKnown] = useState<string>();
  // While a token is renewed the caller is asked for anew; the one who writes stays the same.
  if (owner !== undefined && owner !== known) setKnown(owner);
  return isOpen ? "" : (owner ?? known);
}
