import { ProblemError } from "@accession/client";
import { compareMetadata } from "@accession/rules";
import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { fieldGroupsOfDatasetQuery } from "../api/field-groups.ts";
import { metadataStateQuery } from "../api/revisions.ts";
import { useQueryState } from "../api/service.ts";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { ChangeList } from "./ChangeList.tsx";
import type { RevisionNumber } from "./comparison.ts";

/** What differs between the metadata of two revisions. */
export default function Differences({ id, from, to }: { id: string; from: RevisionNumber; to: RevisionNumber }) {
  const { t } = useTranslation("edit");
  const before = useQuery(metadataStateQuery(id, from.version, from.revision));
  const after = useQuery(metadataStateQuery(id, to.version, to.revision));
  const [first, second] = [useQueryState(before), useQueryState(after)];
  const trouble = first ?? second;
  const changes = useMemo(
    () =>
      before.data === undefined || after.data === undefined
        ? undefined
        : compareMetadata(before.data.metadata, after.data.metadata),
    [before.data, after.data],
  );
  const hasOwn = changes?.some(({ member }) => member.startsWith("fields/")) ?? false;
  const earlier = useQuery({ ...fieldGroupsOfDatasetQuery(id, from.version), enabled: hasOwn });
  const later = useQuery({ ...fieldGroupsOfDatasetQuery(id, to.version), enabled: hasOwn });
  const groups = [...(later.data ?? []), ...(earlier.data ?? [])];
  if (trouble !== undefined && isNotFound(trouble.error)) return <Text role="status">{t("revisions.notFound")}</Text>;
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (changes === undefined) return <Skeleton height="10rem" />;
  return (
    <div aria-live="polite">
      {changes.length === 0 ? <Text>{t("revisions.same")}</Text> : <ChangeList changes={changes} groups={groups} />}
    </div>
  );
}

function isNotFound(error: Error): boolean {
  return error instanceof ProblemError && error.problem.status === 404;
}
