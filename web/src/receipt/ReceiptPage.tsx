import { ProblemError, type Submission } from "@accession/client";
import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconPrinter from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type Receipt, receiptQuery, signatureQuery } from "../api/receipt/receipt.ts";
import { type QueryState, useQueryState } from "../api/service.ts";
import { submissionQuery } from "../api/submissions.ts";
import { EmptyState } from "../ui/ListParts.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { ReceiptStatement, scopeOf } from "../ui/ReceiptStatement.tsx";
import { saveReceipt } from "../ui/save.ts";
import { useFormats } from "../ui/text/format.ts";
import classes from "./Receipt.module.css";
import { Archived, Changes, Named, Part, Signature, Source, Verified } from "./Sections.tsx";

/** Loaded for submissions with checksum lists. */
const DigestLists = lazyLoaded(() => import("../digest-lists/DigestLists.tsx"));

/** A receipt to read and print, with a download of the signed file. @param id of the submission */
export default function ReceiptPage({ id }: { id: string }) {
  const { t } = useTranslation("receipt");
  const receipt = useQuery(receiptQuery(id));
  const submission = useQuery(submissionQuery(id));
  const [first, second] = [useQueryState(receipt), useQueryState(submission)];
  const { data: signature, error } = useQuery(signatureQuery(id, receipt.data?.jws));
  const trouble = first ?? second;
  if (trouble !== undefined) return <NotShown id={id} {...trouble} />;
  if (receipt.data === undefined || submission.data === undefined) {
    return (
      <Stack gap="xl">
        <PageHeading title={undefined} />
        <Skeleton height={480} aria-hidden />
      </Stack>
    );
  }
  const { jws, receipt: payload } = receipt.data;
  if (payload.submission?.id.toLowerCase() !== id.toLowerCase())
    return <OtherReceipt id={id} named={payload.submission?.id} />;
  const { dataset, withdrawn } = submission.data;
  return (
    <article className={classes.receipt}>
      <PageHeading title={t("of", { version: payload.dataset.version, title: payload.title })} />
      <div className={classes.tools}>
        <Button leftSection={<IconDownload size={18} aria-hidden />} onClick={() => saveReceipt(id, jws)}>
          {t("downloadReceipt", { ns: "ui" })}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {t("print")}
        </Button>
        <Group component="span" gap="0.75rem 1.25rem">
          <Anchor component={Link} href={`/submissions/${id}`}>
            {t("viewSubmission", { ns: "ui" })}
          </Anchor>
          {dataset !== null && (
            <Anchor component={Link} href={`/datasets/${dataset.id}?version=${dataset.version}`}>
              {t("viewDataset", { ns: "ui" })}
            </Anchor>
          )}
        </Group>
      </div>
      <Deletion receipt={payload} withdrawn={withdrawn} isTrusted={signature?.state === "holds"} />
      <Signature signature={signature} error={error} submission={id} />
      <Archived receipt={payload} />
      <Source source={payload.source} />
      <Verified verified={payload.verified} />
      {payload.digestLists !== undefined && (
        <Part title={t("dataSource.lists", { ns: "new" })}>
          <DigestLists digestLists={payload.digestLists} />
        </Part>
      )}
      {payload.changes !== undefined && <Changes changes={payload.changes} />}
      <Named
        title={t("named.excluded")}
        total={payload.exclusionsTotal}
        lines={payload.exclusions.map(({ key, reason }) => ({ key, words: reason }))}
      />
      <Named
        title={t("named.drift")}
        detail={t("named.driftMeans")}
        total={payload.driftTotal}
        lines={payload.drift.map(({ key, change }) => ({ key, words: t(`named.change.${change}`) }))}
        more="moreDrift"
      />
    </article>
  );
}

/** Its contents are not shown: they would look like those of the submission in the address. */
function OtherReceipt({ id, named }: { id: string; named: unknown }) {
  const { t } = useTranslation("receipt");
  return (
    <Stack gap="xl">
      <PageHeading title={t("title")} />
      <EmptyState title={t("other")} detail={t("otherDetail", { id, named: String(named) })}>
        <Anchor component={Link} href={`/submissions/${id}`}>
          {t("viewSubmission", { ns: "ui" })}
        </Anchor>
      </EmptyState>
    </Stack>
  );
}

/** Active submissions have no receipt; other errors are shown unchanged. */
function NotShown({ id, error, onRetry }: { id: string } & QueryState) {
  const { t } = useTranslation("receipt");
  const isMissing = error instanceof ProblemError && error.problem.code === "wrong_state";
  return (
    <Stack gap="xl">
      <PageHeading title={t("title")} />
      {isMissing ? (
        <EmptyState title={t("title")} detail={t("missing")}>
          <Anchor component={Link} href={`/submissions/${id}`}>
            {t("viewSubmission", { ns: "ui" })}
          </Anchor>
        </EmptyState>
      ) : (
        <ProblemAlert error={error} onRetry={onRetry} />
      )}
    </Stack>
  );
}

interface DeletionProps {
  receipt: Receipt;
  withdrawn: Submission["withdrawn"];
  /** The signature is valid. */
  isTrusted: boolean;
}

/** Whether the source may be deleted. A “yes” requires a valid signature and a dataset that has not been withdrawn. */
function Deletion({ receipt, withdrawn, isTrusted }: DeletionProps) {
  const { t } = useTranslation("receipt");
  const { date } = useFormats();
  const isYes = receipt.sourceMayBeDeleted === "yes";
  const verdict = isYes ? t(`deletion.yes${scopeOf(receipt)}`) : t("deletion.no");
  const said =
    withdrawn !== null
      ? t("deletion.withdrawn", { date: date(withdrawn.at) })
      : isYes && !isTrusted
        ? t("deletion.untrusted", { verdict })
        : verdict;
  return (
    <Part title={t("deletion.title")}>
      <p className={classes.verdict} data-tone={isYes && isTrusted && withdrawn === null ? "good" : "warn"}>
        {said}
      </p>
      <ReceiptStatement receipt={receipt} />
    </Part>
  );
}
