import { orThrow } from "@accession/client";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { downloadLink, filesAsCsv } from "../../api/datasets.ts";
import { useSession } from "../../api/session/session.ts";
import { save, saveFrom } from "../../ui/save.ts";
import type { Source } from "./DownloadButton.tsx";

interface Downloads {
  /** Saves an export. Undefined without sign-in: then links work as they are. */
  saveExport: ((format: string, link: HTMLElement) => void) | undefined;
  /** Saves a file, or a folder as ZIP. Undefined without sign-in. */
  savePath: ((path: string, link: HTMLElement) => void) | undefined;
  /** Saves the list of all files. Undefined without sign-in. */
  saveList: ((format: string, link: HTMLElement) => void) | undefined;
  error: Error | null;
}

type Wanted = { format: string } | { path: string } | "list";

/**
 * Saves what links of a version lead to with the caller’s token, which a link cannot carry. A link shows that it is busy until the
 * download has begun, or a small file is there.
 */
export function useDownloads(from: Source): Downloads {
  const { session } = useSession();
  const { mutate, error } = useMutation({
    mutationFn: ({ wanted }: { wanted: Wanted; link: HTMLElement }) => download(from, wanted),
    onMutate: ({ link }) => link.setAttribute("aria-busy", "true"),
    onSettled: (_data, _error, { link }) => link.removeAttribute("aria-busy"),
  });
  const start = (wanted: Wanted, link: HTMLElement) => {
    if (!link.hasAttribute("aria-busy")) mutate({ wanted, link });
  };
  if (session === undefined) return { saveExport: undefined, savePath: undefined, saveList: undefined, error };
  return {
    saveExport: (format, link) => start({ format }, link),
    savePath: (path, link) => start({ path }, link),
    saveList: (_format, link) => start("list", link),
    error,
  };
}

async function download(from: Source, wanted: Wanted): Promise<void> {
  if (wanted === "list") return save(await filesAsCsv(from), `${from.id}-v${from.version}-files.csv`);
  if ("path" in wanted) return saveFrom(await downloadLink(api, from.id, from.version, wanted));
  const { format } = wanted;
  if (format === "ro-crate" || format === "bagit") {
    return saveFrom(await downloadLink(api, from.id, from.version, { format }));
  }
  const { bytes, name } = await read(from, format);
  save(bytes, name);
}

async function read({ id, version }: Source, format: string) {
  // The service has rendered the links, and knows the formats.
  const params = { path: { id, format: format as "csl" }, query: { version } };
  const answer = await api.GET("/dataset/{id}/export/{format}", { params, parseAs: "blob" });
  const bytes = orThrow(answer) as Blob;
  const [, name = `${id}-v${version}`] =
    /filename="?([^";]+)/.exec(answer.response.headers.get("content-disposition") ?? "") ?? [];
  return { bytes, name };
}
