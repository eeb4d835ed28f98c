import { Drawer, Group, SegmentedControl, Stack, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../../api/datasets.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import common from "../../ui/Common.module.css";
import { Copyable, CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Section.tsx";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import classes from "../Dataset.module.css";
import type { Source } from "../download/DownloadButton.tsx";
import { DownloadButton } from "../download/DownloadButton.tsx";
import { formatOf, nameOf } from "./file-names.ts";
import { Preview } from "./Preview.tsx";

const SYSTEMS = [
  { value: "linux", label: "Linux" },
  { value: "mac", label: "macOS" },
  { value: "windows", label: "Windows" },
];

/** One file: its preview, its metadata and its download. */
export default function FileDrawer({ file, from, onClose }: { file: DatasetFile; from: Source; onClose: () => void }) {
  const { t } = useTranslation("dataset");
  const { t: ui } = useTranslation("ui");
  const { path, bytes, sha512, verifiedBy, verifiedWith } = file;
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="min(46rem, 100%)">
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Mantine’s header would be a second banner landmark of the page. */}
        <div className={classes.drawerHead}>
          <Drawer.Title className={classes.drawerTitle}>
            <Name>{nameOf(path)}</Name>
          </Drawer.Title>
          <Drawer.CloseButton aria-label={ui("close")} size="lg" />
        </div>
        <Drawer.Body>
          <Stack gap="lg">
            <Preview file={file} from={from} />
            <div>
              <DownloadButton from={from} wanted={{ path }} words={t("download.title")} isFirst />
            </div>
            <Facts
              facts={[
                [t("files.columns.path", { ns: "submission" }), <Name key="p">{path}</Name>],
                [t("files.columns.bytes", { ns: "submission" }), <Bytes key="b" value={bytes} />],
                [t("file.format"), [formatOf(file), file.contentType].filter(Boolean).join(" · ")],
                [
                  t("file.verified"),
                  verifiedBy === null ? t("file.made") : t(`file.${verifiedBy}`, { algorithm: verifiedWith ?? "" }),
                ],
                [
                  ui("digest"),
                  <span key="d" className={classes.digest}>
                    <code>{sha512}</code>
                    <CopyButton text={sha512} what={ui("digest")} />
                  </span>,
                ],
              ]}
            />
            <CommentsAt file={path} />
            <CheckIt file={file} />
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** A command that compares a downloaded file with the archived one. */
function CheckIt({ file: { path, sha512 } }: { file: DatasetFile }) {
  const { t } = useTranslation("dataset");
  const [system, setSystem] = useState("linux");
  const name = savedName(path);
  const line = `${sha512}  ${name}`;
  const commands: Record<string, string> = {
    linux: `echo ${quoted(line)} | sha512sum --check`,
    mac: `echo ${quoted(line)} | shasum -a 512 --check`,
    windows: `(Get-FileHash -Algorithm SHA512 -LiteralPath '${name.replaceAll("'", "''")}').Hash -eq '${sha512}'`,
  };
  const command = commands[system] ?? "";
  return (
    <Stack gap="0.5rem">
      <Group justify="space-between" gap="0.5rem 1rem" mih="2.25rem">
        <Title order={3} size="md">
          {t("check.title")}
        </Title>
        <SegmentedControl size="xs" aria-label={t("check.system")} value={system} onChange={setSystem} data={SYSTEMS} />
      </Group>
      <p className={common.small}>{t("check.detail")}</p>
      <Copyable text={command} what={t("command", { ns: "ui" })} />
    </Stack>
  );
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The name under which browsers save a file: they replace characters that file systems do not allow by underscores, and
 * remove dots and spaces at both ends.
 */
function savedName(path: string): string {
  return nameOf(path)
    .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|~]/gu, "_")
    .replaceAll(/^[\s.]+|[\s.]+$/g, "");
}
