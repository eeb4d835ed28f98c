import { Stack } from "@mantine/core";
import { Rendered } from "../rendered/Rendered.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import type { Source } from "./download/DownloadButton.tsx";
import { useDownloads } from "./download/useDownloads.ts";

interface Props {
  /** Made by the service. */
  html: string;
  from: Source;
  /** Opens a file. @param link the element that was pressed */
  onFile?: (path: string, link: HTMLElement) => void;
}

/** A part that the service renders, and below it the error of a download from it. */
export function Part({ html, from, onFile }: Props) {
  const { saveExport, savePath, error } = useDownloads(from);
  if (html.trim() === "") return null;
  return (
    <Stack gap="0.75rem">
      <Rendered html={html} actions={{ export: saveExport, download: savePath, file: onFile }} />
      {error !== null && <ProblemAlert error={error} />}
    </Stack>
  );
}
