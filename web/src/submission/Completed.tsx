import type { Submission } from "@accession/client";
import { Button, Group, Skeleton } from "@mantine/core";
import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Receipt } from "../api/receipt.ts";
import { receiptQuery } from "../api/receipt.ts";
import { useQueryState } from "../api/service.ts";
import { useFormats } from "../ui/format.ts";
import { NamedObjects } from "../ui/Name.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { isPartial, ReceiptStatement } from "../ui/ReceiptStatement.tsx";
import { save } from "../ui/save.ts";
import classes from "./Completed.module.css";

const CHECKS = ["checksum", "md5", "md5-parts", "length"] as const;

const NAMED = 10;

interface NamedProps {
  title: string;
  total: number;
  lines: { key: string; words: string }[];
  /** The text for the objects that are not listed. The manifest lists excluded objects, but not changes in the bucket. */
  more?: "more" | "moreDrift";
}

/** The result of a submission: the receipt, whether the source data may be deleted, and a link to the dataset. */
export function Completed({ submission: { id, dataset, withdrawn } }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
  const { count, bytes } = useFormats();
  const query = useQuery(receiptQuery(id));
  const { data } = query;
  const trouble = useQueryState(query);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (data === undefined) return <Skeleton height={260} />;
  const { jws, receipt } = data;
  const objects = receipt.counts.stored;
  const mayBeDeleted = receipt.sourceMayBeDeleted === "yes" && withdrawn === null;
  const may = isPartial(receipt) ? "completed.yesPart" : "completed.yes";
  const download = () => save(new Blob([jws], { type: "application/jose" }), `receipt-${id}.jws`);
  return (
    <section className={classes.completed} aria-labelledby="completed">
      <h2 id="completed" className={classes.title}>
        <IconArchive size={24} aria-hidden />
        {t("completed.title")}
      </h2>
      <p>
        {t("completed.figures", {
          objects: ui("objects", { count: objects, shown: count(objects) }),
          bytes: bytes(receipt.bytes),
          version: dataset?.version ?? 1,
        })}
      </p>
      {withdrawn === null && (
        <div className={classes.verdict} data-tone={mayBeDeleted ? "good" : "warn"}>
          <p className={classes.word}>{t(mayBeDeleted ? may : "completed.no")}</p>
          <ReceiptStatement receipt={receipt} />
        </div>
      )}
      <Group gap="sm">
        <Button component={Link} href={`/receipts/${id}`}>
          {t("completed.receipt")}
        </Button>
        <Button variant="default" onClick={download}>
          {t("completed.download")}
        </Button>
        {dataset !== null && withdrawn === null && (
          <Button component={Link} href={`/datasets/${dataset.id}`} variant="default">
            {t("completed.dataset")}
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
  const checks = CHECKS.filter((check) => verified[check] > 0);
  return (
    <>
      <h3 className={classes.name}>{t("completed.verified")}</h3>
      <ul className={classes.checks}>
        {checks.map((check) => (
          <li key={check}>{t(`completed.ways.${check}`, { count: verified[check], shown: count(verified[check]) })}</li>
        ))}
      </ul>
      <Named
        title={t("completed.exclusions", { count: exclusionsTotal, shown: count(exclusionsTotal) })}
        total={exclusionsTotal}
        lines={exclusions.map(({ key, reason }) => ({ key, words: reason }))}
      />
      <Named
        title={t("completed.drift", { count: driftTotal, shown: count(driftTotal) })}
        total={driftTotal}
        lines={drift.map(({ key, change }) => ({ key, words: t(`completed.change.${change}`) }))}
        more="moreDrift"
      />
    </>
  );
}

function Named({ title, total, lines, more = "more" }: NamedProps) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  if (total === 0) return null;
  const shown = lines.slice(0, NAMED);
  return (
    <>
      <h3 className={classes.name}>{title}</h3>
      <NamedObjects
        lines={shown}
        more={total > shown.length ? t(`completed.${more}`, { shown: count(total - shown.length) }) : undefined}
      />
    </>
  );
}
