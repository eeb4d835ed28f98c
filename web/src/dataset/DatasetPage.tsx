import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetQuery, descriptionQuery, unpackingQuery } from "../api/datasets.ts";
import { furtherMetadataQuery, metadataQuery } from "../api/metadata.ts";
import { type Publication, publicationQuery } from "../api/publications.ts";
import { receiptQuery } from "../api/receipt/receipt.ts";
import { useQueryState } from "../api/service.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { Archived, DifferentNames, PublicationSection } from "./Archived.tsx";
import { DatasetUnavailable, NoSuchVersion, withdrawnTitle } from "./DatasetUnavailable.tsx";
import { usePlace } from "./usePlace.ts";

/** The page of one dataset. */
export default function DatasetPage({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  const [place] = usePlace();
  const { dataset, number, version, metadata, further = {}, publication, trouble } = useDataset(id, place.version);
  const isMissing = dataset !== undefined && version === undefined;
  if (trouble !== undefined) {
    return (
      <Stack gap="xl">
        <PageHeading title={withdrawnTitle(trouble.error) ?? dataset?.title ?? t("title")} />
        <DatasetUnavailable {...trouble} />
      </Stack>
    );
  }
  return (
    <Stack gap="xl" aria-busy={!isMissing && metadata === undefined}>
      <PageHeading title={isMissing ? dataset.title : metadata && (metadata.titles[0]?.title ?? t("title"))} />
      {isMissing && <NoSuchVersion id={id} />}
      {!isMissing && metadata === undefined && <Skeleton height="70vh" />}
      {dataset !== undefined && version !== undefined && metadata !== undefined && (
        <Archived
          key={number}
          dataset={dataset}
          version={version}
          metadata={metadata}
          further={further}
          publication={publication}
        />
      )}
    </Stack>
  );
}

/** The names of this number of files are examined at once. */
const QUICK = 10_000;

/** The data of one version. @param wanted undefined for the latest version */
function useDataset(id: string, wanted: number | undefined) {
  const asked = useQuery(datasetQuery(id));
  const dataset = asked.data;
  const number = wanted ?? dataset?.version ?? 0;
  const version = dataset?.versions.find((one) => one.version === number);
  const enabled = version !== undefined;
  const described = useQuery({ ...metadataQuery(id, number), enabled });
  // The content near the top appears at once, so that late answers do not move it.
  const cited = useQuery({ ...descriptionQuery(id, number, "csl"), enabled });
  const isFull = dataset?.view === "full";
  const checked = useQuery({ ...receiptQuery(version?.submission ?? ""), enabled: enabled && isFull });
  const further = useQuery({ ...furtherMetadataQuery(id, number), enabled });
  const published = useQuery({ ...publicationQuery(id, number), enabled });
  const names = useQuery({ ...unpackingQuery(id, number), enabled });
  const publication = useRelevant(published.data);
  const isReady = useReady(PublicationSection, publication !== undefined);
  const areNamesReady = useReady(DifferentNames, (names.data?.files ?? 0) > 0);
  // Not their status, which is pending again when a part of the page repeats a failed request: it would be removed.
  const isWhole =
    [cited, further, published].every(isAnswered) &&
    (!isFull || isAnswered(checked)) &&
    (isAnswered(names) || (version?.objects ?? 0) > QUICK) &&
    isReady &&
    areNamesReady;
  const [first, second] = [useQueryState(asked), useQueryState(described)];
  return {
    dataset,
    number,
    version,
    metadata: isWhole ? described.data : undefined,
    further: further.data,
    publication,
    trouble: first ?? second,
  };
}

/** Whether a request was answered once, with data or an error. */
function isAnswered({ isFetched }: { isFetched: boolean }): boolean {
  return isFetched;
}

/**
 * A publication about which there is something to say: not that of a private version about which the user cannot do anything,
 * unless it has become private while the page was open.
 */
function useRelevant(publication: Publication | undefined): Publication | undefined {
  const shown = useRef<string>(undefined);
  if (publication === undefined) return undefined;
  const { dataset, version, state, actions } = publication;
  const name = `${dataset} ${version}`;
  if (state !== "private" || actions.length > 0) shown.current = name;
  return shown.current === name ? publication : undefined;
}

/** Whether the code of a part of the page has been loaded, if it is wanted. The part reports errors. */
function useReady(part: { present: unknown; fetch: () => Promise<void> }, isWanted: boolean): boolean {
  const [isLoaded, setLoaded] = useState(part.present !== undefined);
  useEffect(() => {
    if (!isWanted) return;
    let isHere = true;
    const end = () => isHere && setLoaded(true);
    part.fetch().then(end, end);
    return () => {
      isHere = false;
    };
  }, [part, isWanted]);
  return !isWanted || isLoaded;
}
