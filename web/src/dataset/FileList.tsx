import { Skeleton, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../api/dataset-files.ts";
import type { Entry } from "./browse.ts";
import { EntryRow } from "./EntryRow.tsx";
import classes from "./Files.module.css";
import type { Source } from "./useDownload.ts";

interface Props {
  entries: readonly Entry[];
  from: Source;
  /** Whole paths are shown, not only names. */
  isWhole: boolean;
  isWaiting: boolean;
  /** Its first row is where the keyboard goes on. */
  takesFocus: boolean;
  onFolder: (path: string) => void;
  /** @param row what was pressed */
  onFile: (file: DatasetFile, row: HTMLElement) => void;
  /** To the folder above; undefined where there is none. */
  onUp: (() => void) | undefined;
}

const ROW = 48;
const PAGE = 10;

/** What a folder holds. Only the rows that are seen are there; arrow keys go from one to the next, whether it is or not. */
export function FileList({ entries, from, isWhole, isWaiting, takesFocus, onFolder, onFile, onUp }: Props) {
  const { t } = useTranslation("dataset");
  const box = useRef<HTMLDivElement>(null);
  const [present, setPresent] = useState(0);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  // The first rows are drawn when the height of the box is known.
  const isDrawn = rows.getVirtualItems().length > 0;
  useEffect(() => {
    if (takesFocus && isDrawn) box.current?.querySelector<HTMLElement>('[data-place="0"]')?.focus();
  }, [takesFocus, isDrawn]);
  const moveTo = (place: number) => {
    const next = Math.min(Math.max(place, 0), entries.length - 1);
    setPresent(next);
    rows.scrollToIndex(next);
    // Once it is drawn.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const goals: Record<string, (() => void) | undefined> = {
      ArrowDown: () => moveTo(present + 1),
      ArrowUp: () => moveTo(present - 1),
      PageDown: () => moveTo(present + PAGE),
      PageUp: () => moveTo(present - PAGE),
      Home: () => moveTo(0),
      End: () => moveTo(entries.length - 1),
      Backspace: onUp,
      ArrowLeft: onUp,
    };
    const goal = event.altKey || event.ctrlKey || event.metaKey ? undefined : goals[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    goal();
  };
  if (isWaiting) return <Skeleton height={8 * ROW} />;
  if (entries.length === 0) return <Text className={classes.none}>{t("files.none")}</Text>;
  return (
    <div ref={box} className={classes.box}>
      <ul aria-label={t("files.title")} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <EntryRow
              key={entry.kind === "folder" ? `${entry.path}/` : entry.file.path}
              entry={entry}
              from={from}
              place={index}
              size={entries.length}
              top={start}
              isWhole={isWhole}
              isPresent={index === present}
              onFocus={() => setPresent(index)}
              onKeyDown={onKeyDown}
              onOpen={(row) => (entry.kind === "folder" ? onFolder(entry.path) : onFile(entry.file, row))}
            />
          );
        })}
      </ul>
    </div>
  );
}
