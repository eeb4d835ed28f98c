import { Group, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { Fragment, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MOST_FILES, useFiles, type Version } from "../../api/datasets.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import common from "../../ui/Common.module.css";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { Section } from "../../ui/Section.tsx";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import type { Source } from "../download/DownloadButton.tsx";
import { SmallDownload } from "../download/DownloadButton.tsx";
import { usePlace } from "../usePlace.ts";
import { entriesOf, escapedFolder, folderOf, matching, nameOf } from "./browse.ts";
import { FileList } from "./FileList.tsx";
import folderPathClasses from "./Files.module.css";

interface Props {
  from: Source;
  folder: string;
  onGo: (folder: string) => void;
}

const FileDrawer = lazyLoaded(() => import("./FileDrawer.tsx"));
const TYPING_MS = 200;

/** The files of a version: by folder, or those whose paths match a search. */
export function Files({ id, version }: { id: string; version: Version }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const [{ folder, file }, go] = usePlace();
  const [typed, setTyped] = useState("");
  const [words] = useDebouncedValue(typed, TYPING_MS);
  const from = { id, version: version.version };
  const all = useFiles(id, version.version);
  // There are too many files for this page, so the service searches, by the beginning of the path.
  const some = useFiles(id, version.version, { prefix: words, enabled: all.isCut && words !== "" });
  const { files, isComplete, trouble } = all.isCut && words !== "" ? some : all;
  const entries = useMemo(
    () => (words === "" ? entriesOf(files, folder) : all.isCut ? matching(files, "") : matching(files, words)),
    [files, folder, words, all.isCut],
  );
  const opened = file === undefined ? undefined : files.find(({ path }) => path === file);
  const opener = useRef<HTMLElement>(null);
  useEffect(() => {
    if (file === undefined) opener.current?.focus();
  }, [file]);
  // After a change of folder within the list, the focus stays in the list.
  const isInList = useRef(false);
  const goInList = (folder: string) => {
    isInList.current = true;
    go({ folder });
  };
  const goByPath = (folder: string) => {
    isInList.current = false;
    go({ folder });
  };
  const shown = count(entries.length);
  const isGone = isComplete && file !== undefined && opened === undefined;
  const escaped = useMemo(() => escapedFolder(files), [files]);
  const isEscapedShown =
    escaped !== undefined && words === "" && (folder === folderOf(escaped) || `${folder}/`.startsWith(`${escaped}/`));
  // Owner and curators see the submission, and always have the manifest.
  const hasManifest = version.submission !== null;
  const isFolderGone = isComplete && words === "" && entries.length === 0;
  return (
    <Section
      title={t("files.title")}
      beside={
        <TextInput
          type="search"
          size="sm"
          w="min(100%, 16rem)"
          aria-label={all.isCut ? t("files.begins") : t("files.search")}
          placeholder={all.isCut ? t("files.begins") : t("files.search")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => {
            isInList.current = false;
            setTyped(currentTarget.value);
          }}
        />
      }
    >
      <p className={common.small}>
        {t("files", { ns: "ui", count: version.objects, shown: count(version.objects) })} ·{" "}
        <Bytes value={version.bytes} />
      </p>
      {words === "" && <FolderPath from={from} folder={folder} onGo={goByPath} />}
      {words === "" && folder !== "" && <CommentsAt key={`comments/${folder}`} file={folder} />}
      <p role="status" className={common.small}>
        {all.isCut
          ? t("files.cut", { most: count(MOST_FILES), shown: count(version.objects) })
          : !isComplete && trouble === undefined
            ? t("files.reading", { shown: count(files.length), all: count(version.objects) })
            : words === ""
              ? t("files.here", { count: entries.length, shown })
              : t("files.found", { count: entries.length, shown })}
      </p>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {isEscapedShown && (
        <p className={common.small}>
          {t("files.escaped", { folder: escaped })}
          {hasManifest && ` ${t("files.escapedManifest")}`}
        </p>
      )}
      {isGone && <Text role="alert">{t("files.noFile", { path: visible(file) })}</Text>}
      {isFolderGone && <Text role="alert">{t("files.noFolder", { path: visible(folder) })}</Text>}
      <FileList
        key={words === "" ? folder : "found"}
        entries={entries}
        from={from}
        isWhole={words !== ""}
        isWaiting={files.length === 0 && !isComplete}
        takesFocus={isInList.current}
        onFolder={goInList}
        onFile={({ path }, row) => {
          opener.current = row;
          go({ file: path });
        }}
        onUp={folder === "" || words !== "" ? undefined : () => goInList(folderOf(folder))}
      />
      {opened !== undefined && <FileDrawer file={opened} from={from} onClose={() => go({}, { replace: true })} />}
    </Section>
  );
}

/** The current folder, links to its parent folders, and the download of the folder. */
function FolderPath({ from, folder, onGo }: Props) {
  const { t } = useTranslation("dataset");
  const parts = folder === "" ? [] : folder.split("/");
  const paths = ["", ...parts.map((_, place) => parts.slice(0, place + 1).join("/"))];
  return (
    <Group justify="space-between" gap="0.5rem" mih="2.25rem" wrap="nowrap">
      <Group component="nav" aria-label={t("files.path")} gap="0.125rem" c="dimmed" miw={0}>
        {paths.map((path) => (
          <Fragment key={path}>
            {path !== "" && <IconChevronRight size={14} aria-hidden />}
            <UnstyledButton
              className={folderPathClasses.crumb}
              aria-current={path === folder ? "true" : undefined}
              onClick={() => onGo(path)}
            >
              {path === "" ? t("files.root") : <Name>{nameOf(path)}</Name>}
            </UnstyledButton>
          </Fragment>
        ))}
      </Group>
      {folder !== "" && (
        <SmallDownload
          from={from}
          wanted={{ path: folder }}
          words={t("files.downloadFolder", { name: visible(nameOf(folder)) })}
        />
      )}
    </Group>
  );
}
