import { Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { fileQuery, filesPartQuery, type Version } from "../../api/datasets.ts";
import { isPassing, type QueryState, useKept, useQueryState } from "../../api/service.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { visible } from "../../ui/text/format.ts";
import type { Language } from "../../words/words.ts";
import { Part } from "../Part.tsx";
import { usePlace } from "../usePlace.ts";

const FileDrawer = lazyLoaded(() => import("./FileDrawer.tsx"));

/** The list of files as the service renders it: by folder, or those that were searched for. */
export function Files({ id, version: { version } }: { id: string; version: Version }) {
  const { t, i18n } = useTranslation("dataset");
  const [{ folder, list, file }, open] = usePlace();
  const from = { id, version };
  const listing = useQuery(filesPartQuery(from, { folder, ...list }, i18n.language as Language));
  const listed = useTrouble(listing, JSON.stringify({ folder, ...list }));
  const finding = useQuery({ ...fileQuery(from, file ?? ""), enabled: file !== undefined });
  const found = useQueryState(finding);
  const opener = useRef<HTMLElement>(undefined);
  useEffect(() => {
    if (file === undefined) opener.current?.focus();
  }, [file]);
  const onFile = (path: string, link: HTMLElement) => {
    opener.current = link;
    open(path);
  };
  // It stays if the next part, or its texts in the other language, cannot be read.
  const data = useKept(listing.data, `${id} ${version}`);
  return (
    <Stack gap="0.75rem">
      {listed !== undefined && <ProblemAlert {...listed} />}
      {data === undefined && listed === undefined && <Skeleton height="24rem" />}
      <VisuallyHidden role="status">{listing.isPlaceholderData ? "" : data?.status}</VisuallyHidden>
      {data !== undefined && (
        <div
          aria-busy={listing.isPlaceholderData}
          style={listing.isPlaceholderData ? { cursor: "progress" } : undefined}
        >
          <Part html={data.html} from={from} onFile={onFile} isLong />
        </div>
      )}
      {file !== undefined && found !== undefined && <ProblemAlert {...found} />}
      {file !== undefined && finding.data === null && (
        <Text role="alert">{t("files.noFile", { path: visible(file) })}</Text>
      )}
      {file !== undefined && finding.data != null && (
        <FileDrawer file={finding.data} from={from} onClose={() => open(undefined, { replace: true })} />
      )}
    </Stack>
  );
}

/** What prevents the list, unless it is shown in the other language: then the page says it. @param place the part of the list */
function useTrouble(listing: UseQueryResult<unknown>, place: string): QueryState | undefined {
  const trouble = useQueryState(listing);
  const shown = useRef<string>(undefined);
  if (listing.data !== undefined && !listing.isPlaceholderData) shown.current = place;
  return shown.current === place && isPassing(trouble) ? undefined : trouble;
}
