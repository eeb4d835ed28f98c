import type { Submission } from "@accession/client";
import { Group, Text } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { inTab } from "../../api/browser/storage.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { useFormats } from "../../ui/text/format.ts";
import classes from "./Rate.module.css";

/** The amount of stored data at a time. */
interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  bytes: number;
}

const EVERY_MS = 1_000;

/** The maximum number of samples. Beyond it, every second one is dropped, which limits memory. */
const MOST = 480;

/** The chart. If its code cannot be loaded, only the summary is shown. */
const RateChart = lazyLoaded(() => import("./RateChart.tsx").catch(() => ({ default: () => <></> })));
/** The minimum number of rates for a chart. */
const LEAST = 3;

/** The transfer rate since the page was opened, as a chart and as a text. */
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
    <figure>
      <Group component="figcaption" justify="space-between" align="baseline" gap="0.25rem 1.5rem" mb="0.75rem">
        <Text fw={600}>{t("rate.title")}</Text>
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
          {summary}
        </Text>
      </Group>
      <div className={classes.chart}>
        {hasSome && <RateChart rates={rates} name={`${t("rate.title")}. ${summary}`} />}
      </div>
    </figure>
  );
}

/** Samples of the stored bytes since the page was opened; they survive a reload. */
function useSamples({ id, attempt, status, progress }: Submission): readonly Sample[] {
  const place = `accession.rate.${id}.${attempt}`;
  const [samples, setSamples] = useState<readonly Sample[]>(() => read(place));
  const bytes = useRef(progress.bytesStored);
  bytes.current = progress.bytesStored;
  const isMoving = status === "listing" || status === "transferring";
  useEffect(() => {
    if (!isMoving) return;
    const take = () => setSamples((known) => thin([...known, { at: Date.now(), bytes: bytes.current }]));
    const timer = setInterval(take, EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  useEffect(() => {
    if (samples.length > 0) inTab.write(place, samples);
  }, [place, samples]);
  return samples;
}

/** Drops every second sample if there are too many; keeps the newest. */
function thin(samples: readonly Sample[]): readonly Sample[] {
  return samples.length <= MOST ? samples : samples.filter((_, index) => (samples.length - index) % 2 === 1);
}

/** Bytes per second between samples, averaged over at least this number of milliseconds. */
function ratesOf(samples: readonly Sample[], least = 2_500): { at: number; rate: number }[] {
  let from = 0;
  return samples.flatMap((sample, index) => {
    if (index === 0) return [];
    while (from + 1 < index && sample.at - (samples[from + 1]?.at ?? 0) >= least) from++;
    const start = samples[from];
    if (start === undefined || sample.at <= start.at) return [];
    return [{ at: sample.at, rate: Math.max(0, (sample.bytes - start.bytes) / ((sample.at - start.at) / 1000)) }];
  });
}

function read(place: string): readonly Sample[] {
  const kept = inTab.read(place);
  return Array.isArray(kept) ? kept.filter(isSample) : [];
}

function isSample(value: Partial<Sample> | null): value is Sample {
  return typeof value?.at === "number" && typeof value.bytes === "number";
}
