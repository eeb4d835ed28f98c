import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { useFormats } from "../ui/format.ts";
import { NamedObjects } from "../ui/NamedObjects.tsx";
import classes from "./Completed.module.css";

const CHECKS = ["checksum", "md5", "md5-parts", "length"] as const;
const NAMED = 10;

/** How the files were checked, and what was left out or changed meanwhile. */
export function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const { exclusions, exclusionsTotal, drift, driftTotal, verified } = receipt;
  const checks = CHECKS.filter((check) => verified[check] > 0);
  return (
    <>
      <h3 className={classes.name}>{t("completed.verified")}</h3>
      <ul className={classes.checks}>
        {checks.map((check) => (
          <li key={check}>
            {count(verified[check])} × {t(`files.verified.${check}`, { with: "" }).trim()}
          </li>
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
      />
    </>
  );
}

interface NamedProps {
  title: string;
  total: number;
  lines: { key: string; words: string }[];
}

function Named({ title, total, lines }: NamedProps) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  if (total === 0) return null;
  const shown = lines.slice(0, NAMED);
  return (
    <>
      <h3 className={classes.name}>{title}</h3>
      <NamedObjects
        lines={shown}
        more={total > shown.length ? t("completed.more", { shown: count(total - shown.length) }) : undefined}
      />
    </>
  );
}
