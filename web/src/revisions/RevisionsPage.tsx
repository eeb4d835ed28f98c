import { changedMembers } from "@accession/rules";
import { Anchor, Button, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { datasetQuery } from "../api/datasets.ts";
import { metadataStateQuery, type Revision, revisionsQuery } from "../api/revisions.ts";
import { useQueryState } from "../api/service.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { visible } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import { DateTime } from "../ui/text/Numbers.tsx";
import { Comparison } from "./Comparison.tsx";
import { comparisonOf, type RevisionNumber, useComparison } from "./comparison.ts";
import { RevisionAuthor } from "./RevisionAuthor.tsx";
import { RevisionNote } from "./RevisionNote.tsx";
import classes from "./RevisionsPage.module.css";

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

/** The number of revisions that are shown at first. Each needs the metadata of two revisions. */
const FEW = 10;

interface Props {
  id: string;
  version: number;
  /** Newest first. */
  revisions: readonly Revision[];
}

/** The metadata revisions of a version, newest first, with author, time, note, and the members that each has changed. */
function RevisionList({ id, version, revisions }: Props) {
  const { t } = useTranslation("edit");
  const [isWhole, setWhole] = useState(false);
  const listed = isWhole ? revisions : revisions.slice(0, FEW);
  return (
    <section aria-labelledby="revisions" className={classes.section}>
      <Title order={2} size="h3" id="revisions">
        {t("revisions.list", { version })}
      </Title>
      <ol className={classes.revisions} reversed>
        {listed.map((revision) => (
          <RevisionEntry key={revision.revision} id={id} revision={revision} />
        ))}
      </ol>
      {listed.length < revisions.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t("revisions.all", { count: revisions.length })}
        </Button>
      )}
    </section>
  );
}

function RevisionEntry({ id, revision: entry }: { id: string; revision: Revision }) {
  const { t } = useTranslation("edit");
  const { revision, changedAt, changedBy, note } = entry;
  const before = revision > 1 ? { version: entry.version, revision: revision - 1 } : undefined;
  return (
    <li>
      <strong>{t("revision", { ns: "ui", revision })}</strong>
      <span>
        <DateTime iso={changedAt} /> · <RevisionAuthor name={changedBy} />
      </span>
      {before !== undefined && (
        <Anchor
          component={Link}
          href={`/datasets/${id}/revisions${comparisonOf(before, entry)}`}
          aria-label={t("revisions.compareWithBefore", { revision })}
        >
          {t("revisions.compareWith")}
        </Anchor>
      )}
      {note !== "" && (
        <Text size="sm">
          <RevisionNote revision={entry} />
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {before === undefined ? t("revisions.first") : <ChangedMembers id={id} before={before} after={entry} />}
      </Text>
    </li>
  );
}

/** The labels of the members in which two revisions differ. */
function ChangedMembers({ id, before, after }: { id: string; before: RevisionNumber; after: RevisionNumber }) {
  const { t } = useTranslation("edit");
  const nameOf = useMemberName();
  const { data: first } = useQuery(metadataStateQuery(id, before.version, before.revision));
  const { data: second } = useQuery(metadataStateQuery(id, after.version, after.revision));
  if (first === undefined || second === undefined) return t("revisions.loading");
  const members = changedMembers(first.metadata, second.metadata);
  if (members.length === 0) return t("revisions.unchanged");
  return t("revisions.changed", { members: members.map((member) => visible(nameOf(member))).join(", ") });
}
