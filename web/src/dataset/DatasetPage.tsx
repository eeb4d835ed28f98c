import { Button, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import { detailsQuery } from "../api/dataset-details.ts";
import { datasetQuery } from "../api/datasets.ts";
import { type Publication, publicationQuery } from "../api/publications.ts";
import { isPassing, useKept, useQueryState } from "../api/service.ts";
import { Comments } from "../comments/Comments.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import type { Language } from "../words/words.ts";
import { Archived, DifferentNames, PublicationSection } from "./Archived.tsx";
import { DatasetUnavailable, NoSuchVersion, withdrawnTitle } from "./DatasetUnavailable.tsx";
import { usePlace } from "./usePlace.ts";

/** The page of one dataset. */
export default function DatasetPage({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  const [place] = usePlace();
  const { dataset, number, version, title, details, publication, trouble, notice } = useDataset(id, place.version);
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
    <Stack gap="xl" aria-busy={!isMissing && details === undefined}>
      {notice !== undefined && <ProblemAlert {...notice} />}
      <PageHeading title={isMissing ? dataset.title : details && (title ?? t("title"))}>
        {details !== undefined && publication?.state === "published" && <ToLandingPage publication={publication} />}
      </PageHeading>
      {isMissing && <NoSuchVersion id={id} />}
      {!isMissing && details === undefined && <Skeleton height="70vh" />}
      {dataset !== undefined && version !== undefined && details !== undefined && (
        <Comments publication={publication} canAdd>
          <Archived key={number} dataset={dataset} version={version} details={details} publication={publication} />
        </Comments>
      )}
    </Stack>
  );
}

/** The page that readers see. Its texts are loaded with the publication. */
function ToLandingPage({ publication: { dataset, version } }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  return (
    <Button component="a" variant="default" href={`${SERVICE_URL}dataset/${dataset}?version=${version}`}>
      {t("openLanding")}
    </Button>
  );
}

/** The data of one version. @param wanted undefined for the latest version, which needs only one request */
function useDataset(id: string, wanted: number | undefined) {
  const { language } = useTranslation().i18n;
  const asking = useQuery(detailsQuery(id, wanted, language as Language));
  const detailed = useKept(asking.data, `${id} ${wanted}`);
  const asked = useQuery({ ...datasetQuery(id), enabled: wanted !== undefined || asking.isFetched });
  const dataset = asked.data;
  const number = wanted ?? detailed?.number ?? dataset?.version ?? 0;
  const version = dataset?.versions.find((one) => one.version === number);
  const details = detailed?.details;
  const enabled = version !== undefined && details !== undefined;
  const publication = useRelevant(useQuery({ ...publicationQuery(id, number), enabled }).data);
  useLatest(asking, wanted === undefined && dataset !== undefined && dataset.version !== number);
  // The content near the top appears at once, so that late answers do not move it.
  const isReady = useReady(PublicationSection, publication !== undefined);
  const areNamesReady = useReady(DifferentNames, (details?.unpacking?.files ?? 0) > 0);
  const [first, second] = [useQueryState(asked), useQueryState(asking)];
  const isKept = dataset !== undefined && details !== undefined;
  const isOfOther = asking.data === undefined || asking.isPlaceholderData;
  return {
    dataset,
    number,
    version,
    title: detailed?.title,
    details: isReady && areNamesReady ? details : undefined,
    publication,
    // A refusal ends the page. What may pass leaves it as it is, with what the user has entered.
    trouble: isKept && isPassing(first) ? undefined : (first ?? (isKept || version === undefined ? undefined : second)),
    // The page says above whether the service responds.
    notice: isKept && isOfOther ? second : undefined,
  };
}

/** Fetches the details again if there is a newer version than theirs. */
function useLatest({ refetch, isFetched }: { refetch: () => unknown; isFetched: boolean }, isOutdated: boolean): void {
  useEffect(() => {
    if (isFetched && isOutdated) void refetch();
  }, [isFetched, isOutdated, refetch]);
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
