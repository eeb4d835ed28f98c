import type { Submission } from "@accession/client";
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

/** How long it will take, in words that promise no more than is known. */
export function useTimeLeft({ status, progress }: Pick<Submission, "status" | "progress">): string {
  const { t } = useTranslation("submission");
  const { duration } = useFormats();
  const { secondsLeft: seconds, stalled } = progress;
  if (status === "waiting" || status === "failed") return t("progress.standing");
  if (stalled !== null) return t("progress.stalled");
  if (seconds === null) return t("progress.unknown");
  if (seconds < MOMENT) return t("progress.moment");
  return t("progress.about", { time: duration(coarse(seconds)) });
}

/** Seconds to a grain that suits their number. */
export function coarse(seconds: number): number {
  const grain = GRAINS.find(([above]) => seconds >= above)?.[1] ?? 1;
  return Math.ceil(seconds / grain) * grain;
}
