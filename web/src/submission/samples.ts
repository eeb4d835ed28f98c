import type { Submission } from "@accession/client";
import { useEffect, useRef, useState } from "react";
import { inTab } from "../api/storage.ts";

/** How much was stored when. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  bytes: number;
}

const EVERY_MS = 1_000;
/** Beyond this every second one is left out: days of a transfer take no more room than minutes. */
const MOST = 480;

/** How the stored bytes grew while the page looked on, also before a reload. */
export function useSamples({ id, attempt, status, progress }: Submission): readonly Sample[] {
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

/** Leaves every second sample out when there are too many; the newest stays. */
export function thin(samples: readonly Sample[]): readonly Sample[] {
  return samples.length <= MOST ? samples : samples.filter((_, index) => (samples.length - index) % 2 === 1);
}

/** Bytes a second from each sample to the next, over at least so many milliseconds. */
export function ratesOf(samples: readonly Sample[], least = 2_500): { at: number; rate: number }[] {
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
