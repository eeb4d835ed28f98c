import { Skeleton, Text, UnstyledButton } from "@mantine/core";
import IconFile from "@tabler/icons-react/dist/esm/icons/IconFile.mjs";
import IconFolder from "@tabler/icons-react/dist/esm/icons/IconFolder.mjs";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../../api/datasets.ts";
import { CommentCount } from "../../comments/CommentCount.tsx";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import type { Source } from "../download/DownloadButton.tsx";
import { SmallDownload } from "../download/DownloadButton.tsx";
import type { Entry } from "./browse.ts";
import { formatOf, nameOf } from "./browse.ts";
import classes from "./Files.module.css";

interface EntryRowProps {
  entry: Entry;
  from: Source;
  /** From 0. */
  place: number;
  /** The number of all entries. */
  size: number;
  /** Pixels from the top of the list. */
  top: number;
  isWhole: boolean;
  /** The row that the Tab key reaches. */
  isPresent: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** @param row the element that was pressed */
  onOpen: (row: HTMLElement) => void;
}

interface Props {
  entries: readonly Entry[];
  from: Source;
  /** Shows complete paths instead of names. */
  isWhole: boolean;
  isWaiting: boolean;
  /** The first row receives the focus. */
  takesFocus: boolean;
  onFolder: (path: string) => void;
  /** @param row the element that was pressed */
  onFile: (file: DatasetFile, row: HTMLElement) => void;
  /** Opens the parent folder; undefined if there is none. */
  onUp: (() => void) | undefined;
}

const ROW = 48;
const PAGE = 10;

/** The entries of a folder. Renders only the visible rows; the arrow keys also reach the others. */
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
  // The first rows are rendered when the height of the box is known.
  const isDrawn = rows.getVirtualItems().length > 0;
  useEffect(() => {
    if (takesFocus && isDrawn) box.current?.querySelector<HTMLElement>('[data-place="0"]')?.focus();
  }, [takesFocus, isDrawn]);
  const moveTo = (place: number) => {
    const next = Math.min(Math.max(place, 0), entries.length - 1);
    setPresent(next);
    rows.scrollToIndex(next);
    // After the next rendering.
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

/** One folder or file of the list. */
function EntryRow({ entry, from, place, size, top, isWhole, isPresent, onFocus, onKeyDown, onOpen }: EntryRowProps) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const isFolder = entry.kind === "folder";
  const path = isFolder ? entry.path : entry.file.path;
  const name = isWhole ? path : nameOf(path);
  const Icon = isFolder ? IconFolder : IconFile;
  return (
    <li
      className={classes.row}
      aria-posinset={place + 1}
      aria-setsize={size}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span>
        <UnstyledButton
          className={classes.open}
          data-place={place}
          tabIndex={isPresent ? 0 : -1}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onClick={({ currentTarget }) => onOpen(currentTarget)}
          title={visible(name)}
        >
          <Icon size={20} stroke={1.5} aria-hidden color={`var(--mantine-color-${isFolder ? "anchor" : "dimmed"})`} />
          <Name>{name}</Name>
          <CommentCount path={path} />
        </UnstyledButton>
      </span>
      <span className={classes.kind}>
        {isFolder ? t("files", { ns: "ui", count: entry.files, shown: count(entry.files) }) : formatOf(entry.file)}
      </span>
      <span className={classes.size}>
        <Bytes value={isFolder ? entry.bytes : entry.file.bytes} />
      </span>
      <span>
        <SmallDownload
          from={from}
          wanted={{ path }}
          words={t("download.one", { name: visible(name) })}
          isOutOfTab={!isPresent}
        />
      </span>
    </li>
  );
}
