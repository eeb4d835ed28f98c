import { Button } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { api } from "../../api/client.ts";
import { addressOf, downloadLink, type Package } from "../../api/datasets.ts";
import { useSession } from "../../api/session/session.ts";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { saveFrom } from "../../ui/save.ts";

interface Props {
  from: Source;
  wanted: Wanted;
  words: string;
  /** The primary download. */
  isFirst?: boolean;
}

/** Downloads a file, a folder or a package. The browser writes the bytes to disk as they arrive. */
export function DownloadButton({ from, wanted, words, isFirst = false }: Props) {
  const { href, onClick, isPending, error } = useDownload(from, wanted);
  return (
    <>
      <Button
        component="a"
        href={href}
        download
        onClick={onClick}
        loading={isPending}
        variant={isFirst ? "filled" : "default"}
        leftSection={<IconDownload size={18} aria-hidden />}
      >
        {words}
      </Button>
      {error !== null && <ProblemAlert error={error} />}
    </>
  );
}

/** The version from which files are downloaded. */
export interface Source {
  id: string;
  version: number;
}

type Wanted = { path: string } | { format: Package };

/**
 * The properties of a download link. It leads to the permanent address. If the service requires sign-in, a link cannot
 * carry the token, so a click fetches a single-use address instead.
 */
function useDownload(from: Source, wanted: Wanted) {
  const { session } = useSession();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadLink(api, from.id, from.version, wanted),
    onSuccess: (url) => saveFrom(url),
  });
  const onClick = (event: MouseEvent) => {
    if (session === undefined) return;
    event.preventDefault();
    if (!isPending) mutate();
  };
  return { href: addressOf(from.id, from.version, wanted), onClick, isPending, error };
}
