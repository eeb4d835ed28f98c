import type { Submission } from "@accession/client";
import { Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { fetched } from "../ui/fetched.tsx";
import { useFormats } from "../ui/format.ts";
import classes from "./Rate.module.css";
import { ratesOf, useSamples } from "./samples.ts";

/** The sentence says the same: where the drawing cannot be fetched, because the network is away, nothing is drawn. */
const RateChart = fetched(() => import("./RateChart.tsx").catch(() => ({ default: () => <></> })));
/** Fewer say nothing. */
const LEAST = 3;

/** How quickly the data came while the page looked on: a chart, and the same in a sentence. */
export function RateOverTime({ submission }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { bytes, duration } = useFormats();
  const samples = useSamples(submission);
  const rates = useMemo(() => ratesOf(samples), [samples]);
  const isMoving = ["accepted", "listing", "transferring"].includes(submission.status);
  const [first, last] = [samples[0], samples.at(-1)];
  const hasSome = rates.length >= LEAST && first !== undefined && last !== undefined;
  if (!hasSome && !isMoving) return null;
  const shown = (value: number) => t("progress.perSecond", { bytes: bytes(Math.round(value)) });
  const seconds = hasSome ? (last.at - first.at) / 1000 : 0;
  const summary = hasSome
    ? t(isMoving ? "rate.summary" : "rate.read", {
        now: shown(rates.at(-1)?.rate ?? 0),
        mean: shown((last.bytes - first.bytes) / seconds),
        most: shown(rates.reduce((most, { rate }) => Math.max(most, rate), 0)),
        time: duration(seconds),
      })
    : t("rate.measuring");
  return (
    <figure className={classes.rate}>
      <figcaption className={classes.caption}>
        <Text fw={600}>{t("rate.title")}</Text>
        <Text size="sm" c="dimmed" className={classes.summary}>
          {summary}
        </Text>
      </figcaption>
      <div className={classes.chart}>
        {hasSome && <RateChart rates={rates} name={`${t("rate.title")}. ${summary}`} />}
      </div>
    </figure>
  );
}
