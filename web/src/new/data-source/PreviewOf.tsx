import { Stack, Text, Title } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import formClasses from "../../metadata-form/Form.module.css";
import common from "../../ui/Common.module.css";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { DataTable } from "../../ui/Section.tsx";
import { useFormats } from "../../ui/text/format.ts";
import { KeyName } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import classes from "./DataSource.module.css";
import { FolderTree } from "./FolderTree.tsx";
import { Types } from "./Types.tsx";

/** Loaded on demand, because few buckets have such names. */
const DifferentNames = lazyLoaded(() => import("../../ui/DifferentNames.tsx"));

const ICONS = { warn: IconAlertTriangle, good: IconCheck, calm: IconInfoCircle } as const;

const KINDS = ["added", "changed", "unchanged", "removed"] as const;

/** The preview of a submission: its size, possible problems, folders and file types. */
export function PreviewOf({ preview }: { preview: Preview }) {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes, duration } = useFormats();
  const { objects, complete, estimatedSeconds } = preview;
  const shown = count(objects);
  return (
    <Stack gap="lg" component="section" aria-label={t("preview.title")}>
      <div>
        <Title order={3} size="h4">
          {t("preview.title")}
        </Title>
        <p className={classes.sum}>
          {!complete && `${t("preview.atLeast")} `}
          <strong>{t("ui:objects", { count: objects, shown })}</strong>, <strong>{bytes(preview.bytes)}</strong>
          {complete && estimatedSeconds !== null && `. ${t("preview.estimate", { time: duration(estimatedSeconds) })}`}
        </p>
      </div>
      <Obstacles preview={preview} />
      {preview.changes !== undefined && <Changes changes={preview.changes} />}
      {objects > 0 && <Types preview={preview} />}
      {objects + preview.leftOut.objects > 0 && <FolderTree preview={preview} />}
      {objects > 0 && <Largest largest={preview.largest} />}
    </Stack>
  );
}

/** The differences between a new version and the previous one, and how much the service has to read. */
function Changes({ changes }: { changes: NonNullable<Preview["changes"]> }) {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes } = useFormats();
  const { since, sameSource, toRead } = changes;
  const objects = t("ui:objects", { count: toRead.objects, shown: count(toRead.objects) });
  const title = t("changes.title", { number: since });
  return (
    <div>
      <h4 className={classes.small}>{title}</h4>
      <DataTable
        className={classes.table}
        label={title}
        columns={[t("changes.kind"), t("preview.objects"), t("preview.bytes")]}
        rows={KINDS.map((kind) => {
          const amount = changes[kind];
          if (amount === null) return [kind, t(`changes.${kind}`), t("ui:unknown"), t("ui:unknown")];
          return [kind, t(`changes.${kind}`), count(amount.objects), <Bytes key="b" value={amount.bytes} />];
        })}
      />
      <p className={classes.detail}>
        {toRead.objects === 0 ? t("changes.nothing") : t("changes.toRead", { objects, bytes: bytes(toRead.bytes) })}{" "}
        {!sameSource && t("changes.otherSource", { number: since })}
      </p>
    </div>
  );
}

/** The largest objects, by their keys. */
function Largest({ largest }: { largest: Preview["largest"] }) {
  const { t } = useTranslation("new");
  return (
    <details className={formClasses.fold}>
      <summary>{t("preview.largest")}</summary>
      <DataTable
        className={classes.table}
        columns={[t("preview.key"), t("preview.bytes")]}
        rows={largest.map(({ key, bytes }) => [key, <KeyName key="k">{key}</KeyName>, <Bytes key="b" value={bytes} />])}
      />
    </details>
  );
}

/** Problems of the submission, and notes about it. */
function Obstacles({ preview }: { preview: Preview }) {
  const { t } = useTranslation("new");
  const { count, bytes } = useFormats();
  const { complete, fits, room, objects, unreadableStorageClasses, renamed, renamedTotal, unpacking } = preview;
  const { lists = [], comparison = null } = preview.digests ?? {};
  const areListed = lists.every(({ problem }) => problem === null) && (comparison?.missing?.total ?? 0) === 0;
  const isClear = complete && fits && objects > 0 && unreadableStorageClasses.length === 0 && areListed;
  return (
    <ul className={`${common.list} ${classes.obstacles}`}>
      {objects === 0 && <Obstacle tone="warn">{t("preview.nothing")}</Obstacle>}
      {!fits && <Obstacle tone="warn">{t("preview.noSpace", { space: bytes(room ?? 0) })}</Obstacle>}
      {unreadableStorageClasses.map(({ storageClass, objects }) => (
        <Obstacle key={storageClass} tone="warn">
          {t("preview.archived", { count: objects, shown: count(objects), storageClass })}
        </Obstacle>
      ))}
      {preview.digests !== undefined && <ListedFiles digests={preview.digests} />}
      {!complete && <Obstacle tone="warn">{t("preview.incomplete")}</Obstacle>}
      {unpacking.files > 0 && (
        <Obstacle tone="warn">
          <DifferentNames found={unpacking} objects={objects} isBefore />
        </Obstacle>
      )}
      {isClear && <Obstacle tone="good">{t("preview.clear")}</Obstacle>}
      {renamedTotal > 0 && (
        <Obstacle tone="calm">
          {t("preview.renamed", { count: renamedTotal, shown: count(renamedTotal) })}
          <Renamed renamed={renamed} />
        </Obstacle>
      )}
      <Obstacle tone="calm">{t("preview.current")}</Obstacle>
    </ul>
  );
}

/** What the checksum lists, or the manifests of a bag, show. */
function ListedFiles({ digests: { lists, comparison } }: { digests: NonNullable<Preview["digests"]> }) {
  const { t } = useTranslation("new");
  const { count } = useFormats();
  const unusable = lists.filter(({ problem }) => problem !== null);
  const { files = 0, missing = null, additional } = comparison ?? {};
  const isBag = lists.some(({ origin }) => origin === "bag");
  return (
    <>
      {unusable.map(({ name, problem }) => (
        <Obstacle key={name} tone="warn">
          <KeyName>{name}</KeyName>: {problem?.message}
        </Obstacle>
      ))}
      {missing !== null && missing.total > 0 && (
        <Obstacle tone="warn">
          {t("preview.missing", { count: missing.total, shown: count(missing.total) })}{" "}
          <KeyName>{missing.keys[0] ?? ""}</KeyName>
        </Obstacle>
      )}
      {comparison !== null && (
        <Obstacle tone="calm">
          {t(isBag ? "preview.bag" : "preview.listed", { count: files, shown: count(files) })}{" "}
          {additional !== undefined &&
            additional.total > 0 &&
            t("preview.additional", { count: additional.total, shown: count(additional.total) })}
        </Obstacle>
      )}
    </>
  );
}

function Obstacle({ tone, children }: { tone: keyof typeof ICONS; children: ReactNode }) {
  const Mark = ICONS[tone];
  return (
    <li data-tone={tone}>
      <Mark size={18} aria-hidden />
      <div>{children}</div>
    </li>
  );
}

function Renamed({ renamed }: { renamed: Preview["renamed"] }) {
  const { t } = useTranslation("new");
  return (
    <details className={formClasses.fold}>
      <summary>{t("preview.renamedShow")}</summary>
      <ul className={classes.renamed}>
        {renamed.map(({ key, path, code }) => (
          <li key={key}>
            <KeyName>{key}</KeyName> → <KeyName>{path}</KeyName>
            <Text inherit my="1em">
              {t(`preview.reasons.${code}`)}
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
