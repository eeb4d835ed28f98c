import { orThrow } from "@accession/client";
import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { api, SERVICE_URL } from "../../api/client.ts";
import { addressOf, type Package } from "../../api/datasets.ts";
import { useSession } from "../../api/session.ts";
import { saveFrom } from "./save.ts";

/** The version from which files are downloaded. */
export interface Source {
  id: string;
  version: number;
}

export type Wanted = { path: string } | { format: Package };

/**
 * The properties of a download link. It leads to the permanent address. If the service requires sign-in, a link cannot
 * carry the token, so a click fetches a single-use address instead.
 */
export function useDownload(from: Source, wanted: Wanted) {
  const { session } = useSession();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => linkTo(from, wanted),
    onSuccess: (url) => saveFrom(url),
  });
  const onClick = (event: MouseEvent) => {
    if (session === undefined) return;
    event.preventDefault();
    if (!isPending) mutate();
  };
  return { href: addressOf(from.id, from.version, wanted), onClick, isPending, error };
}

async function linkTo({ id, version }: Source, body: Wanted): Promise<string> {
  const params = { path: { id }, query: { version } };
  const { url } = orThrow(await api.POST("/dataset/{id}/download-link", { params, body }));
  return new URL(url, SERVICE_URL).href;
}
