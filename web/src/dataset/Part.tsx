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
  /** Whether its end is often out of sight. */
  isLong?: boolean;
}

/** A part that the service renders, and the error of a download from it. */
export function Part({ html, from, onFile, isLong = false }: Props) {
  const { saveExport, savePath, saveList, error } = useDownloads(from);
  if (html.trim() === "") return null;
  const alert = error !== null && <ProblemAlert error={error} />;
  return (
    <Stack gap="0.75rem">
      {isLong && alert}
      <Rendered html={html} actions={{ export: saveExport, download: savePath, list: saveList, file: onFile }} />
      {!isLong && alert}
    </Stack>
  );
}
