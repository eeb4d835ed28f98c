import type { Submission } from "@accession/client";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";

/** Rounded up to this above that, the largest first: a guess is not said to the second. */
const GRAINS = [
  [7_200, 900],
  [3_600, 300],
  [90, 60],
  [0, 10],
] as const;
const MOMENT = 10;
/** When nothing has come for so long, the rate of before says nothing of what is left. */
const STALLED_MS = 60_000;

/** How long it will take, in words that promise no more than is known. */
export function useTimeLeft({ status, progress }: Pick<Submission, "status" | "progress">): string {
  const { t } = useTranslation("submission");
  const { duration } = useFormats();
  const { bytesStored, objectsStored, secondsLeft: seconds } = progress;
  const isStalled = useIsStalled(`${bytesStored} ${objectsStored}`);
  if (status === "waiting" || status === "failed") return t("progress.standing");
  if (isStalled) return t("progress.stalled");
  if (seconds === null) return t("progress.unknown");
  if (seconds < MOMENT) return t("progress.moment");
  return t("progress.about", { time: duration(coarse(seconds)) });
}

/** Whether something has stayed as it is for too long. */
function useIsStalled(stored: string): boolean {
  const [stalledAt, setStalledAt] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setStalledAt(stored), STALLED_MS);
    return () => clearTimeout(timer);
  }, [stored]);
  return stalledAt === stored;
}

/** Seconds to a grain that suits their number. */
export function coarse(seconds: number): number {
  const grain = GRAINS.find(([above]) => seconds >= above)?.[1] ?? 1;
  return Math.ceil(seconds / grain) * grain;
}
