import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { datasetQuery } from "../api/datasets.ts";
import { revisionsQuery } from "../api/revisions.ts";
import { useQueryState } from "../api/service.ts";
import { Name } from "../ui/Name.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { Comparison } from "./Comparison.tsx";
import { useComparison } from "./comparison.ts";
import { RevisionList } from "./RevisionList.tsx";

/** The metadata revisions of a dataset, and the differences between two of them. The address names the two. */
export default function RevisionsPage({ id }: { id: string }) {
  const { t } = useTranslation("edit");
  const { from, to, version } = useComparison();
  const asked = useQuery(datasetQuery(id));
  const dataset = asked.data;
  const number = to?.version ?? version ?? dataset?.version;
  const listed = useQuery({ ...revisionsQuery(id, number ?? 0), enabled: number !== undefined });
  const newest = listed.data?.[0];
  const [first, second] = [useQueryState(asked), useQueryState(listed)];
  const trouble = first ?? second;
  const end = to ?? newest;
  return (
    <Stack gap="xl" maw="48rem">
      <PageHeading title={t("revisions.title")}>
        <Anchor component={Link} href={`/datasets/${id}`}>
          {t("toDataset")}
        </Anchor>
      </PageHeading>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {trouble === undefined && (dataset === undefined || listed.data === undefined) && <Skeleton height="20rem" />}
      {dataset !== undefined && listed.data !== undefined && end !== undefined && (
        <>
          <Text c="dimmed">
            <Name>{dataset.title}</Name>
          </Text>
          <RevisionList id={id} version={end.version} revisions={listed.data} />
          {(listed.data.length > 1 || dataset.versions.length > 1) && (
            <Comparison id={id} versions={dataset.versions.map(({ version }) => version)} from={from} to={end} />
          )}
        </>
      )}
    </Stack>
  );
}
