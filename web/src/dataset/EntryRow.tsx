import { UnstyledButton } from "@mantine/core";
import IconFile from "@tabler/icons-react/dist/esm/icons/IconFile.mjs";
import IconFolder from "@tabler/icons-react/dist/esm/icons/IconFolder.mjs";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { Bytes } from "../ui/Numbers.tsx";
import { visible } from "../ui/visible.ts";
import { type Entry, formatOf, nameOf } from "./browse.ts";
import classes from "./Files.module.css";
import { SmallDownload } from "./SmallDownload.tsx";
import type { Source } from "./useDownload.ts";

interface Props {
  entry: Entry;
  from: Source;
  /** From 0. */
  place: number;
  /** How many there are in all. */
  size: number;
  /** Pixels from the top of the list. */
  top: number;
  isWhole: boolean;
  /** The row that the Tab key comes to. */
  isPresent: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** @param row what was pressed */
  onOpen: (row: HTMLElement) => void;
}

/** A folder or a file of the list. */
export function EntryRow({ entry, from, place, size, top, isWhole, isPresent, onFocus, onKeyDown, onOpen }: Props) {
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
      <span className={classes.name}>
        <UnstyledButton
          className={classes.open}
          data-place={place}
          tabIndex={isPresent ? 0 : -1}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onClick={({ currentTarget }) => onOpen(currentTarget)}
          title={visible(name)}
        >
          <Icon size={20} stroke={1.5} aria-hidden className={isFolder ? classes.folder : classes.file} />
          <Name>{name}</Name>
        </UnstyledButton>
      </span>
      <span className={classes.kind}>
        {isFolder ? t("files.count", { count: entry.files, shown: count(entry.files) }) : formatOf(entry.file)}
      </span>
      <span className={classes.size}>
        <Bytes value={isFolder ? entry.bytes : entry.file.bytes} />
      </span>
      <span className={classes.save}>
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
