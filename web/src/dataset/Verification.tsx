import { Anchor } from "@mantine/core";
import IconCertificate from "@tabler/icons-react/dist/esm/icons/IconCertificate.mjs";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Dataset, Version } from "../api/datasets.ts";
import { queries } from "../api/queries.ts";
import { type Receipt, receiptQuery } from "../api/receipt/receipt.ts";
import { useQueryState } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Section } from "../ui/Section.tsx";
import { saveReceipt } from "../ui/save.ts";
import { useFormats } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Dataset.module.css";

const WAYS = ["submitter", "checksum", "md5", "md5-parts", "length"] as const;

/** How the files were verified against the source, which objects are missing, and the last integrity check. */
export function Verification({ dataset, version }: { dataset: Dataset; version: Version }) {
  const { t } = useTranslation("dataset");
  const { submission } = version;
  return (
    <Section title={t("verified.title")}>
      {submission !== null && <Received submission={submission} />}
      <Audit audit={dataset.audit} />
      {submission !== null && (
        <>
          <Anchor component={Link} href={`/receipts/${submission}`}>
            {t("viewReceipt", { ns: "ui" })}
          </Anchor>
          <Anchor component={Link} href={`/submissions/${submission}`}>
            {t("viewSubmission", { ns: "ui" })}
          </Anchor>
          <ReceiptButton submission={submission} words={t("downloadReceipt", { ns: "ui" })} />
        </>
      )}
    </Section>
  );
}

/** What the receipt states. Only the owner, curators and admins can see it. */
function Received({ submission }: { submission: string }) {
  const query = useQuery(receiptQuery(submission));
  const { data } = query;
  const trouble = useQueryState(query);
  return (
    <>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {data !== undefined && <Checked receipt={data.receipt} />}
    </>
  );
}

function Checked({ receipt: { verified, counts, driftTotal } }: { receipt: Receipt }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const said = (value: number) => ({ count: value, shown: count(value) });
  return (
    <ul className={`${common.list} ${classes.checks}`}>
      {WAYS.filter((way) => (verified[way] ?? 0) > 0).map((way) => (
        <li key={way} data-tone={way === "length" ? "warn" : "good"}>
          {t(`verified.${way}`, said(verified[way] ?? 0))}
        </li>
      ))}
      {counts.excluded > 0 && <li data-tone="warn">{t("verified.excluded", said(counts.excluded))}</li>}
      {driftTotal > 0 && (
        <li data-tone="warn">{t("drifted", { ns: "ui", count: driftTotal, shown: count(driftTotal) })}</li>
      )}
    </ul>
  );
}

function Audit({ audit }: { audit: Dataset["audit"] }) {
  const { t } = useTranslation("dataset");
  if (audit === null) return <p className={common.small}>{t("verified.noAudit")}</p>;
  return (
    <ul className={`${common.list} ${classes.checks}`}>
      <li data-tone={audit.ok ? "good" : "bad"}>
        {audit.ok ? t("verified.audited") : t("verified.damaged")} <DateTime iso={audit.at} />
      </li>
    </ul>
  );
}

/** Downloads the signed receipt of a submission. */
export function ReceiptButton({ submission, words }: { submission: string; words: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const { jws } = await queries.fetchQuery(receiptQuery(submission));
      saveReceipt(submission, jws);
    },
  });
  return (
    <>
      <BusyButton
        variant="default"
        leftSection={<IconCertificate size={18} aria-hidden />}
        isBusy={save.isPending}
        onClick={() => save.mutate()}
        style={{ alignSelf: "flex-start" }}
      >
        {words}
      </BusyButton>
      {save.error !== null && <ProblemAlert error={save.error} />}
    </>
  );
}
