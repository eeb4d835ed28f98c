import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { addressOf, type Package } from "../api/dataset.ts";

/** The version of a dataset from which something is had. */
export interface Source {
  id: string;
  version: number;
}

export type Wanted = { path: string } | { format: Package };

/** What a link that saves something is made of. */
export function useDownload({ id, version }: Source, wanted: Wanted) {
  const save = useMutation({ mutationFn: async () => undefined });
  const onClick = (_event: MouseEvent) => undefined;
  return { href: addressOf(id, version, wanted), onClick, isPending: save.isPending, error: save.error };
}
