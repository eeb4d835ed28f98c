// biome-ignore-all lint/a11y/useSemanticElements: a table whose rows are laid over one another has no table’s layout, so its parts are named by roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and selects rows itself.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the focus and selects rows itself.
import type { Submission } from "@accession/client";
import { Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type File, type FileFilter, MOST_ROWS, useFiles } from "../../api/submission-files.ts";
import common from "../../ui/Common.module.css";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useProblemWords } from "../../ui/problem/problemWords.ts";
import { useFormats, visible } from "../../ui/text/format.ts";
import { PathName } from "../../ui/text/Name.tsx";
import { FileDetails, useVerified } from "./FileDetails.tsx";
import classes from "./FileTable.module.css";

const PAGE = 10;

/** Pixels; all rows are as high as the others, so that a hundred thousand of them need no measuring. */
const ROW = 44;
const OVERSCAN = 6;
const COLUMNS = ["path", "bytes", "state", "verified", "digest"] as const;

/** A table of files that fetches and renders only the visible rows. */
export function FileTable({ submission, filter }: { submission: Submission; filter: FileFilter }) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const name = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<File>();
  const [seen, setSeen] = useState<[number, number]>([0, 0]);
  const files = useFiles(submission, filter, seen);
  const expected = expectedOf(submission, filter);
  const known = files.isWhole || expected === undefined ? files.rows : Math.min(files.rows, expected);
  const rows = Math.min(known, MOST_ROWS);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    // The heading sticks to the top, over the rows.
    paddingStart: ROW,
    scrollPaddingStart: ROW,
    useFlushSync: false,
    onChange: ({ range }) => {
      const { startIndex = 0, endIndex = 0 } = range ?? {};
      setSeen((before) => (before[0] === startIndex && before[1] === endIndex ? before : [startIndex, endIndex]));
    },
  });
  const { active, setActive, onKeyDown } = useRows(
    rows,
    (row) => virtual.scrollToIndex(row),
    (row) => setOpened(files.at(row)),
  );
  const shown = virtual.getVirtualItems();
  const isActiveShown = active !== undefined && shown.some(({ index }) => index === active);
  const total = files.isWhole ? files.rows : expected;
  if (files.error !== null) return <ProblemAlert error={files.error} />;
  if (rows === 0) {
    const isEverything = filter.state === undefined && filter.prefix === "";
    return <Text c="dimmed">{t(isEverything ? "files.none" : "files.noMatch")}</Text>;
  }
  return (
    <div>
      <div
        ref={scroller}
        role="grid"
        className={classes.scroller}
        aria-label={t("files.table")}
        aria-describedby={`${name}-hint`}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={COLUMNS.length}
        aria-activedescendant={isActiveShown ? `${name}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            {COLUMNS.map((column) => (
              <span key={column} role="columnheader" className={classes[column]}>
                {t(`files.columns.${column}`)}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() - ROW }}>
          {shown.map(({ index, start }) => (
            <FileRow
              key={index}
              id={`${name}-${index}`}
              row={index}
              top={start - ROW}
              file={files.at(index)}
              isActive={index === active}
              onOpen={(file) => {
                setActive(index);
                setOpened(file);
              }}
            />
          ))}
        </div>
      </div>
      <Text mt="0.5rem" fz="sm" c="dimmed" id={`${name}-hint`}>
        {total !== undefined && <>{t("files", { ns: "ui", count: total, shown: count(total) })}. </>}
        {known > rows && <>{t("files.cut", { shown: count(rows) })} </>}
        <span className={classes.byKeys}>{t("files.hint")}</span>
        <span className={classes.byTouch}>{t("files.hintTouch")}</span>
      </Text>
      <FileDetails file={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

/** The expected number of rows, if the progress of the submission states it. */
function expectedOf({ progress }: Submission, { state, prefix }: FileFilter): number | undefined {
  if (prefix !== "") return undefined;
  const { objectsListed, objectsStored, objectsFailed, objectsExcluded } = progress;
  switch (state) {
    case undefined:
      return objectsListed;
    case "stored":
      return objectsStored;
    case "failed":
      return objectsFailed;
    case "excluded":
      return objectsExcluded;
    case "listed":
      return objectsListed - objectsStored - objectsFailed - objectsExcluded;
  }
}

/** Keyboard navigation of a grid: the grid has the focus, and one of its rows is active. */
function useRows(rows: number, scrollTo: (row: number) => void, open: (row: number) => void) {
  const [active, setActive] = useState<number>();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (active !== undefined) open(active);
      return;
    }
    const next = nextRow(event.key, active, rows);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    scrollTo(next);
  };
  return { active, setActive, onKeyDown };
}

/** The row that a key leads to; undefined for other keys. */
function nextRow(key: string, active: number | undefined, rows: number): number | undefined {
  const within = (row: number) => Math.max(0, Math.min(rows - 1, row));
  switch (key) {
    case "ArrowDown":
      return within(active === undefined ? 0 : active + 1);
    case "ArrowUp":
      return within((active ?? 0) - 1);
    case "PageDown":
      return within((active ?? 0) + PAGE);
    case "PageUp":
      return within((active ?? 0) - PAGE);
    case "Home":
      return 0;
    case "End":
      return rows - 1;
    default:
      return undefined;
  }
}

const DIGEST = 12;

interface FileRowProps {
  id: string;
  /** From 0. */
  row: number;
  /** Pixels from the first row. */
  top: number;
  /** Undefined while it is being fetched. */
  file: File | undefined;
  isActive: boolean;
  onOpen: (file: File) => void;
}

/** One file. A click opens its details. */
const FileRow = memo(function FileRow({ id, row, top, file, isActive, onOpen }: FileRowProps) {
  const { t } = useTranslation("submission");
  const { bytes } = useFormats();
  const verified = useVerified();
  const wordsOf = useProblemWords();
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isActive}
      className={classes.row}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => file !== undefined && onOpen(file)}
    >
      <span role="gridcell" className={classes.path} title={file && visible(file.path)}>
        {file === undefined ? "…" : <PathName path={file.path} />}
      </span>
      <span role="gridcell" className={classes.bytes}>
        {file !== undefined && bytes(file.bytes)}
      </span>
      <span
        role="gridcell"
        className={classes.state}
        data-state={file?.state}
        title={wordsOf(file?.error?.code)?.title ?? file?.error?.message}
      >
        {file !== undefined && t(`files.states.${file.state}`)}
      </span>
      <span role="gridcell" className={`${classes.verified} ${common.dimmed}`}>
        {file !== undefined && verified(file)}
      </span>
      <span role="gridcell" className={`${classes.digest} ${common.dimmed}`}>
        {file?.sha512 != null && <code>{file.sha512.slice(0, DIGEST)}…</code>}
      </span>
    </div>
  );
});
