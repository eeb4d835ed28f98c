import { orThrow } from "@accession/client";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { downloadLink, filesAsCsv } from "../../api/datasets.ts";
import { useSession } from "../../api/session/session.ts";
import { save, saveFrom } from "../../ui/save.ts";
import type { Source } from "./DownloadButton.tsx";

interface Downloads {
  /** Saves an export. Undefined without sign-in: then links work as they are. */
  saveExport: ((format: string) => void) | undefined;
  /** Saves a file, or a folder as ZIP. Undefined without sign-in. */
  savePath: ((path: string) => void) | undefined;
  /** Saves the list of all files. Undefined without sign-in. */
  saveList: (() => void) | undefined;
  error: Error | null;
}

/** Saves what links of a version lead to with the caller’s token, which a link cannot carry. */
export function useDownloads(from: Source): Downloads {
  const { session } = useSession();
  const { mutate, error } = useMutation({
    mutationFn: async (wanted: { format: string } | { path: string } | "list") => {
      if (wanted === "list") return save(await filesAsCsv(from), `${from.id}-v${from.version}-files.csv`);
      if ("path" in wanted) return saveFrom(await downloadLink(api, from.id, from.version, wanted));
      const { format } = wanted;
      if (format === "ro-crate" || format === "bagit") {
        return saveFrom(await downloadLink(api, from.id, from.version, { format }));
      }
      const { bytes, name } = await read(from, format);
      save(bytes, name);
    },
  });
  if (session === undefined) return { saveExport: undefined, savePath: undefined, saveList: undefined, error };
  return {
    saveExport: (format) => mutate({ format }),
    savePath: (path) => mutate({ path }),
    saveList: () => mutate("list"),
    error,
  };
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
