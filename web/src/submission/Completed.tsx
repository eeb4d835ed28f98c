import type { Submission } from "@accession/client";
import { Button, Group, Skeleton, Text } from "@mantine/core";
import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Receipt } from "../api/receipt/receipt.ts";
import { receiptQuery } from "../api/receipt/receipt.ts";
import { useQueryState } from "../api/service.ts";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { ReceiptStatement, scopeOf } from "../ui/ReceiptStatement.tsx";
import { saveReceipt } from "../ui/save.ts";
import { useFormats } from "../ui/text/format.ts";
import { NamedObjects } from "../ui/text/Name.tsx";
import classes from "./Completed.module.css";

const CHECKS = ["submitter", "checksum", "md5", "md5-parts", "length"] as const;

const NAMED = 10;

interface NamedProps {
  title: string;
  total: number;
  lines: { key: string; words: string }[];
  /** Says how many objects are not listed. The manifest lists excluded objects, but not changes in the bucket. */
  more: (shown: string) => string;
}

/** The result of a submission: the receipt, whether the source data may be deleted, and a link to the dataset. */
export function Completed({ submission: { id, dataset, withdrawn } }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { count, bytes } = useFormats();
  const query = useQuery(receiptQuery(id));
  const { data } = query;
  const trouble = useQueryState(query);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (data === undefined) return <Skeleton height={260} />;
  const { jws, receipt } = data;
  const objects = receipt.counts.stored;
  const mayBeDeleted = receipt.sourceMayBeDeleted === "yes" && withdrawn === null;
  const may = `completed.yes${scopeOf(receipt)}` as const;
  return (
    <section className={classes.completed} aria-labelledby="completed">
      <Group component="h2" id="completed" gap="0.625rem" m={0} fz="xl" c="var(--good-text)" wrap="nowrap">
        <IconArchive size={24} aria-hidden />
        {t("completed.title")}
      </Group>
      <p>
        {t("completed.figures", {
          objects: t("objects", { ns: "ui", count: objects, shown: count(objects) }),
          bytes: bytes(receipt.bytes),
          version: dataset?.version ?? 1,
        })}
      </p>
      {withdrawn === null && (
        <div className={classes.verdict} data-tone={mayBeDeleted ? "good" : "warn"}>
          <Text c="var(--tone)" fz="lg" fw={650}>
            {t(mayBeDeleted ? may : "completed.no")}
          </Text>
          <ReceiptStatement receipt={receipt} />
        </div>
      )}
      <Group gap="sm">
        <Button component={Link} href={`/receipts/${id}`}>
          {t("viewReceipt", { ns: "ui" })}
        </Button>
        <Button variant="default" onClick={() => saveReceipt(id, jws)}>
          {t("downloadReceipt", { ns: "ui" })}
        </Button>
        {dataset !== null && withdrawn === null && (
          <Button component={Link} href={`/datasets/${dataset.id}`} variant="default">
            {t("viewDataset", { ns: "ui" })}
          </Button>
        )}
      </Group>
      <ReceiptFacts receipt={receipt} />
    </section>
  );
}

/** How the files were verified, and which objects were excluded or changed. */
function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const { exclusions, exclusionsTotal, drift, driftTotal, verified } = receipt;
  const checks = CHECKS.filter((check) => (verified[check] ?? 0) > 0);
  return (
    <>
      <h3 className={classes.name}>{t("verified.title", { ns: "dataset" })}</h3>
      <Group
        component="ul"
        gap="0.25rem 1.5rem"
        c="dimmed"
        style={{ listStyle: "none", fontVariantNumeric: "tabular-nums" }}
      >
        {checks.map((check) => (
          <li key={check}>
            {t(`completed.ways.${check}`, { count: verified[check] ?? 0, shown: count(verified[check] ?? 0) })}
          </li>
        ))}
      </Group>
      <Named
        title={t("progress.excluded", { count: exclusionsTotal, shown: count(exclusionsTotal) })}
        total={exclusionsTotal}
        lines={exclusions.map(({ key, reason }) => ({ key, words: reason }))}
        more={(shown) => t("completed.more", { shown })}
      />
      <Named
        title={t("drifted", { ns: "ui", count: driftTotal, shown: count(driftTotal) })}
        total={driftTotal}
        lines={drift.map(({ key, change }) => ({ key, words: t(`named.change.${change}`, { ns: "receipt" }) }))}
        more={(shown) => t("named.moreDrift", { ns: "receipt", shown })}
      />
    </>
  );
}

function Named({ title, total, lines, more }: NamedProps) {
  const { count } = useFormats();
  if (total === 0) return null;
  const shown = lines.slice(0, NAMED);
  return (
    <>
      <h3 className={classes.name}>{title}</h3>
      <NamedObjects lines={shown} more={total > shown.length ? more(count(total - shown.length)) : undefined} />
    </>
  );
}
