import { orThrow } from "@accession/client";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { downloadLink } from "../../api/datasets.ts";
import { useSession } from "../../api/session/session.ts";
import { save, saveFrom } from "../../ui/save.ts";
import type { Source } from "./DownloadButton.tsx";

/**
 * Saves an export with the caller’s token, which a link cannot carry.
 * @returns `start` undefined without sign-in: then links to exports work as they are
 */
export function useExport(from: Source): { start: ((format: string) => void) | undefined; error: Error | null } {
  const { session } = useSession();
  const { mutate, error } = useMutation({
    mutationFn: async (format: string) => {
      if (format === "ro-crate" || format === "bagit") {
        return saveFrom(await downloadLink(api, from.id, from.version, { format }));
      }
      const { bytes, name } = await read(from, format);
      save(bytes, name);
    },
  });
  return { start: session === undefined ? undefined : mutate, error };
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
