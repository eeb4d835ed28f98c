// biome-ignore-all lint/a11y/useSemanticElements: a table whose rows are laid over one another has no table’s layout, so its parts are named by roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and selects rows itself.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the focus and selects rows itself.
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { File } from "../api/submission-files.ts";
import { useFormats, visible } from "../ui/format.ts";
import { PathName } from "../ui/Name.tsx";
import { useProblemWords } from "../ui/problemWords.ts";
import { useVerified } from "./FileDetails.tsx";
import classes from "./FileTable.module.css";

interface Props {
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

const DIGEST = 12;

/** One file. A click opens its details. */
export const FileRow = memo(function FileRow({ id, row, top, file, isActive, onOpen }: Props) {
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
      <span role="gridcell" className={classes.verified}>
        {file !== undefined && verified(file)}
      </span>
      <span role="gridcell" className={classes.digest}>
        {file?.sha512 != null && <code>{file.sha512.slice(0, DIGEST)}…</code>}
      </span>
    </div>
  );
});
