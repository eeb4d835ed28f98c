import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { datasetQuery } from "../api/dataset.ts";
import { metadataQuery } from "../api/metadata.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { Archived } from "./Archived.tsx";
import { NoSuchVersion, NotShown, tombstoneIn } from "./NotShown.tsx";
import { usePlace } from "./usePlace.ts";

/** One dataset: what was archived, how it is cited, and how it is had. */
export default function DatasetRoom({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  const [place] = usePlace();
  const { data: dataset, error } = useQuery(datasetQuery(id));
  const number = place.version ?? dataset?.version ?? 0;
  const version = dataset?.versions.find((one) => one.version === number);
  const metadata = useQuery({ ...metadataQuery(id, number), enabled: version !== undefined }).data;
  const title = metadata?.titles[0]?.title ?? tombstoneIn(error)?.title ?? dataset?.title ?? t("title");
  return (
    <Stack gap="xl">
      <PageHeading title={title} />
      {error !== null && <NotShown error={error} />}
      {dataset !== undefined && version === undefined && <NoSuchVersion id={id} />}
      {dataset !== undefined && version !== undefined && metadata !== undefined && (
        <Archived key={number} dataset={dataset} version={version} metadata={metadata} />
      )}
      {error === null && metadata === undefined && (dataset === undefined || version !== undefined) && (
        <Skeleton height="70vh" />
      )}
    </Stack>
  );
}
