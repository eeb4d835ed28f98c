import { ProblemError } from "@accession/client";
import { Anchor, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Tombstone, WithdrawnPublication } from "../api/datasets.ts";
import type { QueryState } from "../api/service.ts";
import { useService } from "../api/service.ts";
import { EmptyState } from "../ui/ListParts.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Facts } from "../ui/Section.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { visible, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { ReceiptButton } from "./Verification.tsx";

/** What an error says about a dataset that was withdrawn, or a version whose publication was withdrawn. */
function withdrawalIn(error: Error | null): Pick<ProblemError["problem"], "tombstone" | "withdrawn"> {
  return error instanceof ProblemError ? error.problem : {};
}

/** The title of what was withdrawn. */
export function withdrawnTitle(error: Error | null): string | undefined {
  const { tombstone, withdrawn } = withdrawalIn(error);
  return (tombstone ?? withdrawn)?.title;
}

/** Why a dataset is not shown: it or its publication was withdrawn, it was not found, or an error occurred. */
export function DatasetUnavailable({ error, onRetry }: QueryState) {
  const { tombstone, withdrawn } = withdrawalIn(error);
  if (tombstone !== undefined) return <Withdrawn tombstone={tombstone} />;
  if (withdrawn !== undefined) return <NoLongerPublic withdrawn={withdrawn} />;
  if (error instanceof ProblemError && error.problem.status === 404) return <NotFound />;
  return <ProblemAlert error={error} onRetry={onRetry} />;
}

/** The service answers alike for datasets of other owners and for missing ones, so the text mentions both. */
function NotFound() {
  const { t } = useTranslation("dataset");
  const signsIn = useService()?.signIn.method !== "none";
  return (
    <EmptyState title={t("notFound.title")} detail={t("notFound.detail")}>
      {signsIn && <Text c="dimmed">{t("notFound.others")}</Text>}
      <Anchor component={Link} href="/">
        {t("viewSubmissions", { ns: "ui" })}
      </Anchor>
    </EmptyState>
  );
}

/** The address names a version that does not exist. */
export function NoSuchVersion({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  return (
    <EmptyState title={t("noVersion.title")} detail={t("noVersion.detail")}>
      <Anchor component={Link} href={`/datasets/${id}`}>
        {t("versions.toLatest")}
      </Anchor>
    </EmptyState>
  );
}

/** What the public sees of a version whose publication was withdrawn. */
function NoLongerPublic({ withdrawn }: { withdrawn: WithdrawnPublication }) {
  const { version, authors, identifier, publishedAt, at, reason } = withdrawn;
  const { t } = useTranslation("dataset");
  return (
    <Stack gap="lg" maw="44rem" align="flex-start">
      <StatusBadge status="withdrawn" />
      <Text size="lg">{t("noLongerPublic.detail", { version })}</Text>
      <Facts
        facts={[
          [t("withdrawn.authors"), namesOf(authors)],
          [t("withdrawn.reason"), <bdi key="r">{visibleLines(reason)}</bdi>],
          [t("withdrawn.published"), publishedAt !== null && <DateTime key="p" iso={publishedAt} />],
          [t("withdrawn.at"), at !== null && <DateTime key="at" iso={at} />],
          [t("about.identifier"), identifier],
        ]}
      />
    </Stack>
  );
}

/** The names of authors; undefined if they are not known. */
function namesOf(authors: readonly string[]): string | undefined {
  return authors.length === 0 ? undefined : authors.map(visible).join("; ");
}

/** The tombstone page of a withdrawn dataset. */
function Withdrawn({ tombstone }: { tombstone: Tombstone }) {
  const { t } = useTranslation("dataset");
  const { authors, identifier, identifiers, createdAt, withdrawnAt, removedAt, reason, versions } = tombstone;
  const publishedAt = versions.find(({ publication }) => publication !== null)?.publication?.publishedAt;
  // The public does not get the receipts.
  const receipts = versions.flatMap(({ version, submission }) => (submission === null ? [] : { version, submission }));
  return (
    <Stack gap="lg" maw="44rem" align="flex-start">
      <StatusBadge status="withdrawn" />
      <Text size="lg">{t("withdrawn.detail")}</Text>
      <Facts
        facts={[
          [t("withdrawn.authors"), namesOf(authors)],
          [t("withdrawn.reason"), reason],
          [t("withdrawn.at"), <DateTime key="at" iso={withdrawnAt} />],
          [
            t("withdrawn.removed"),
            removedAt === null ? t("withdrawn.beingRemoved") : <DateTime key="r" iso={removedAt} />,
          ],
          [t("about.published"), <DateTime key="p" iso={createdAt} />],
          [t("withdrawn.published"), publishedAt !== undefined && <DateTime key="d" iso={publishedAt} />],
          [t("about.identifier"), identifiers.length === 0 ? identifier : identifiers.join(" · ")],
        ]}
      />
      {receipts.length > 0 && <Text c="dimmed">{t("withdrawn.receipts")}</Text>}
      {receipts.map(({ version, submission }) => (
        <ReceiptButton key={version} submission={submission} words={t("receipt.ofVersion", { version })} />
      ))}
    </Stack>
  );
}
