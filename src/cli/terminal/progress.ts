import type { SubmissionState } from "../../../packages/client/src/index.ts";
import { clock, count, duration, several, size } from "./numbers.ts";
import { pad, type Showable, type Shown, show, styled } from "./text.ts";

const BAR = { least: 10, most: 30 };
const GAP = "  ";

/** Describes the progress of a submission in one line. The least important parts are omitted if the terminal is too narrow. */
export function progressLine({ status, progress }: SubmissionState, columns: number): Shown {
  const { listingComplete, objectsStored, objectsListed, bytesStored, bytesListed } = progress;
  const head = pad(styled("cyan", status), 12);
  if (!listingComplete) return fill(head, partsOf(status, progress), columns - head.width);
  const done = bytesListed > 0 ? bytesStored / bytesListed : objectsStored / (objectsListed || 1);
  const percent = pad(`${Math.floor(done * 100)} %`, 6, "right");
  const tail = fill(show``, partsOf(status, progress), columns - head.width - 1 - BAR.least - percent.width);
  const room = columns - head.width - 1 - percent.width - tail.width;
  return show`${head} ${bar(done, Math.max(BAR.least, Math.min(BAR.most, room)))}${percent}${tail}`;
}

/** A part of the line. Parts with the highest rank are omitted first. */
interface Part {
  text: Showable;
  rank: number;
}

function partsOf(status: SubmissionState["status"], progress: SubmissionState["progress"]): Part[] {
  const { listingComplete, objectsListed, objectsStored, objectsFailed, bytesListed, bytesStored } = progress;
  const { secondsLeft, bytesPerSecond, stalled = null } = progress;
  const parts: Part[] = [];
  if (listingComplete) {
    parts.push({ text: `${count(objectsStored)} of ${several(objectsListed, "object")}`, rank: 3 });
    parts.push({ text: share(bytesStored, bytesListed), rank: 1 });
  } else {
    parts.push({ text: `${several(objectsListed, "object")} found`, rank: 1 });
    parts.push({ text: `${count(objectsStored)} stored`, rank: 3 }, { text: size(bytesStored), rank: 4 });
  }
  if (objectsFailed > 0) parts.push({ text: styled("yellow", `${count(objectsFailed)} unreadable`), rank: 2 });
  if (stalled !== null) {
    parts.push({ text: styled("yellow", `no data since ${clock(stalled.since)}`), rank: 2 });
    parts.push({ text: `stops at ${clock(stalled.until)}`, rank: 4 });
  }
  if (status === "transferring" && secondsLeft !== null && secondsLeft > 0) {
    parts.push({ text: `${duration(secondsLeft)} left`, rank: 2 });
  }
  if (bytesPerSecond !== null && bytesPerSecond > 0) parts.push({ text: `${size(bytesPerSecond)}/s`, rank: 5 });
  return parts;
}

/** `7.1 of 76.3 MiB`. */
function share(part: number, whole: number): string {
  if (part === whole) return size(whole);
  const [one, other] = [size(part), size(whole)];
  const [number = "", unit = ""] = one.split(" ");
  return `${other.endsWith(` ${unit}`) ? number : one} of ${other}`;
}

function fill(before: Shown, parts: Part[], columns: number): Shown {
  let left = columns;
  const kept = new Set<Part>();
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const width = show`${part.text}`.width + GAP.length;
    if (width > left) break;
    left -= width;
    kept.add(part);
  }
  return parts.filter((part) => kept.has(part)).reduce((line, { text }) => show`${line}${GAP}${text}`, before);
}

function bar(done: number, width: number): Shown {
  const filled = Math.max(0, Math.min(width, Math.round(done * width)));
  return show`${styled("green", "█".repeat(filled))}${styled("dim", "░".repeat(width - filled))}`;
}
