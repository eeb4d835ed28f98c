import type { Submission } from "@accession/client";
import { Button, Group, Skeleton } from "@mantine/core";
import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { receiptQuery } from "../api/receipt.ts";
import { useStanding } from "../api/standing.ts";
import { useFormats } from "../ui/format.ts";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { save } from "../ui/save.ts";
import classes from "./Completed.module.css";
import { ReceiptFacts } from "./ReceiptFacts.tsx";

/** What came of it: the receipt and what it says of the source, and the way to the dataset. */
export function Completed({ submission: { id, dataset, withdrawn } }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
  const { count, bytes } = useFormats();
  const query = useQuery(receiptQuery(id));
  const { data } = query;
  const trouble = useStanding(query);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (data === undefined) return <Skeleton height={260} />;
  const { jws, receipt } = data;
  const objects = receipt.counts.stored;
  const mayBeDeleted = receipt.sourceMayBeDeleted === "yes" && withdrawn === null;
  const { prefix, include, exclude } = receipt.source.selection;
  const isPart = [prefix, include, exclude].some((chosen) => chosen !== undefined && chosen.length > 0);
  const may = isPart ? "completed.yesPart" : "completed.yes";
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
          <p>
            {t("completed.statement")} <q lang="en">{receipt.statement}</q>
          </p>
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
