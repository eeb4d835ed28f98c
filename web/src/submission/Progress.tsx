import type { Submission } from "@accession/client";
import { Progress as Bar, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import common from "../ui/Common.module.css";
import { useFormats } from "../ui/text/format.ts";
import { Bytes, Count } from "../ui/text/Numbers.tsx";
import classes from "./Progress.module.css";

/** The precision of an estimate: above the first number of seconds, round up to a multiple of the second. */
const GRAINS = [
  [7_200, 900],
  [3_600, 300],
  [90, 60],
  [0, 10],
] as const;

const MOMENT = 10;

const TROUBLES = { gap: "0.25rem 1.5rem", c: "var(--warn-text)", fw: 550 };

/** The progress of a submission: amount, transfer rate and remaining time, as texts and as a bar. */
export function Progress({ submission }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { bytes, count, percent, time } = useFormats();
  const { status, progress } = submission;
  const timeLeft = useTimeLeft(submission);
  const { listingComplete, bytesStored, bytesListed, objectsStored, objectsListed, bytesPerSecond } = progress;
  const { objectsFailed, objectsExcluded, stalled } = progress;
  const share = shareOf(progress);
  const total = (known: string) => t(listingComplete ? "progress.of" : "progress.ofSoFar", { total: known });
  const isMoving = status === "listing" || status === "transferring";
  const done = t("progress.percent", { percent: percent(share) });
  const now = status === "completed" ? undefined : t(`now.${status}`);
  return (
    <section aria-label={t("progress.label")}>
      <Stack gap="lg">
        <Text maw="46rem">{now}</Text>
        {status !== "cancelled" && (
          <>
            <Bar.Root size="lg">
              <Bar.Section
                value={listingComplete ? 100 * share : 0}
                aria-label={t("progress.label")}
                aria-valuetext={listingComplete ? done : t("progress.unknown")}
              />
            </Bar.Root>
            <dl className={classes.figures}>
              <Figure name={t("progress.bytes")} more={total(bytes(bytesListed))}>
                <Bytes value={bytesStored} />
              </Figure>
              <Figure name={t("progress.objects")} more={total(count(objectsListed))}>
                <Count value={objectsStored} />
              </Figure>
              {isMoving && (
                <>
                  <Figure name={t("progress.rate")}>
                    {bytesPerSecond === null
                      ? t("progress.unknown")
                      : t("progress.perSecond", { bytes: bytes(bytesPerSecond) })}
                  </Figure>
                  <Figure name={t("progress.left")}>{timeLeft}</Figure>
                </>
              )}
            </dl>
            {stalled !== null && (
              <Group component="p" {...TROUBLES} role="status">
                {t("progress.silent", { since: time(stalled.since), until: time(stalled.until) })}
              </Group>
            )}
            {objectsFailed + objectsExcluded > 0 && (
              <Group component="p" {...TROUBLES}>
                {objectsFailed > 0 && (
                  <span>{t("progress.unreadable", { count: objectsFailed, shown: count(objectsFailed) })}</span>
                )}
                {objectsExcluded > 0 && (
                  <span>{t("progress.excluded", { count: objectsExcluded, shown: count(objectsExcluded) })}</span>
                )}
              </Group>
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

function Figure({ name, more, children }: { name: string; more?: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <Text span inherit fz="1.25rem" fw={600} lts="-0.01em">
          {children}
        </Text>
        {more !== undefined && (
          <span className={common.dimmed} style={{ whiteSpace: "nowrap" }}>
            {" "}
            {more}
          </span>
        )}
      </dd>
    </div>
  );
}

/** The share of the bytes; the share of the objects if all objects are empty. */
function shareOf({ bytesStored, bytesListed, objectsStored, objectsListed }: Submission["progress"]): number {
  if (bytesListed > 0) return bytesStored / bytesListed;
  return objectsListed > 0 ? objectsStored / objectsListed : 0;
}

/** The remaining time, as precise as the estimate allows. */
function useTimeLeft({ status, progress }: Pick<Submission, "status" | "progress">): string {
  const { t } = useTranslation("submission");
  const { duration } = useFormats();
  const { secondsLeft: seconds, stalled } = progress;
  if (status === "waiting" || status === "failed") return t("progress.standing");
  if (stalled !== null) return t("progress.stalled");
  if (seconds === null) return t("progress.unknown");
  if (seconds < MOMENT) return t("progress.moment");
  return t("progress.about", { time: duration(coarse(seconds)) });
}

/** Rounds seconds up to the precision of an estimate. */
function coarse(seconds: number): number {
  const grain = GRAINS.find(([above]) => seconds >= above)?.[1] ?? 1;
  return Math.ceil(seconds / grain) * grain;
}
