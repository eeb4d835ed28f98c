import { Anchor, Stack } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Trans, useTranslation } from "react-i18next";
import { KEYS_URL, type Receipt } from "../api/receipt/receipt.ts";
import type { Signature as Found } from "../api/receipt/verify-signature.ts";
import { CommandHelp } from "../ui/CommandHelp.tsx";
import { Copyable } from "../ui/CopyButton.tsx";
import { DataTable, Facts } from "../ui/Section.tsx";
import { useFormats } from "../ui/text/format.ts";
import { KeyName, Name, NamedObjects } from "../ui/text/Name.tsx";
import { isUpload } from "../ui/upload-source.ts";
import classes from "./Receipt.module.css";

/** A section of the receipt with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.part}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** The dataset, how much of it is stored, and issuer and issue date. */
export function Archived({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("receipt");
  const { count, bytes, dateTime } = useFormats();
  const { dataset, counts, exclusionsTotal, driftTotal, changes, issuer } = receipt;
  const isUnread = changes?.kept.notRead !== undefined && changes.kept.notRead === counts.stored;
  const [from, to] = [dateTime(receipt.firstReadAt), dateTime(receipt.lastReadAt)];
  const read = from === to ? from : t("archived.readFromTo", { from, to });
  const stored = { stored: count(counts.stored), listed: count(counts.listed), bytes: bytes(receipt.bytes) };
  return (
    <Part title={t("archived.title")}>
      <Facts
        className={classes.facts}
        facts={[
          [t("archived.name"), <Name key="n">{receipt.title}</Name>],
          [t("about.identifier", { ns: "dataset" }), dataset.identifier],
          [t("archived.version"), dataset.version],
          [t("archived.stored"), t("archived.storedOf", stored)],
          [t("archived.excluded"), exclusionsTotal > 0 ? count(exclusionsTotal) : undefined],
          [t("archived.drift"), driftTotal > 0 ? count(driftTotal) : undefined],
          [t("archived.read"), isUnread ? t("archived.readNothing") : read],
          [t("archived.issued"), dateTime(receipt.issuedAt)],
          [t("archived.issuer"), <Name key="i">{`${issuer.publisher}, ${issuer.url}`}</Name>],
        ]}
      />
    </Part>
  );
}

/** The data source and the selection. */
export function Source({ source: { endpoint, bucket, selection } }: { source: Receipt["source"] }) {
  const { t } = useTranslation("receipt");
  const { prefix = "", include = [], exclude = [] } = selection;
  const isSent = isUpload({ endpoint });
  const isAll = prefix === "" && include.length === 0 && exclude.length === 0;
  return (
    <Part title={t("dataSource", { ns: "ui" })}>
      <Facts
        className={classes.facts}
        facts={[
          [t("source.upload"), isSent ? bucket : undefined],
          [t("source.endpoint"), isSent ? undefined : endpoint],
          [t("source.bucket"), isSent ? undefined : bucket],
          [t("source.selection"), isAll && !isSent ? t("source.all") : undefined],
          [t("source.prefix"), patterns(prefix === "" ? [] : [prefix])],
          [t("source.include"), patterns(include)],
          [t("source.exclude"), patterns(exclude)],
        ]}
      />
    </Part>
  );
}

function patterns(list: readonly string[]) {
  if (list.length === 0) return undefined;
  return (
    <Stack component="ul" gap="0.25rem" style={{ listStyle: "none", overflowWrap: "anywhere" }}>
      {list.map((pattern) => (
        <li key={pattern}>
          <KeyName>{pattern}</KeyName>
        </li>
      ))}
    </Stack>
  );
}

/** The maximum number of objects to list; a longer list would fill many printed pages. */
const NAMED = 50;

interface VerifiedProps {
  title: string;
  /** What it means for the dataset. */
  detail?: string;
  total: number;
  /** The first objects. */
  lines: readonly { key: string; words: string }[];
  /** The text for the objects that are not listed. The manifest lists excluded objects, but not changes in the bucket. */
  more?: "more" | "moreDrift";
}

/** In descending strength. */
const WAYS = ["submitter", "checksum", "md5", "md5-parts", "length"] as const;

/** Object counts by verification method. */
export function Verified({ verified }: { verified: Receipt["verified"] }) {
  const { t } = useTranslation("receipt");
  const { count } = useFormats();
  const ways = WAYS.filter((way) => (verified[way] ?? 0) > 0);
  return (
    <Part title={t("verified.title", { ns: "dataset" })}>
      {ways.length === 0 ? (
        <p>{t("verified.none")}</p>
      ) : (
        <DataTable
          label={t("verified.title", { ns: "dataset" })}
          columns={[t("verified.way"), t("verified.objects")]}
          rows={ways.map((way) => [way, t(`verified.${way}`), count(verified[way] ?? 0)])}
        />
      )}
    </Part>
  );
}

const KINDS = ["added", "changed", "removed", "kept"] as const;

/** Object counts by comparison with the previous version. */
export function Changes({ changes }: { changes: NonNullable<Receipt["changes"]> }) {
  const { t } = useTranslation("receipt");
  const { count } = useFormats();
  const { since, kept } = changes;
  const title = t("changes.title", { since });
  const { notRead } = kept;
  const rows = KINDS.map((kind) => [kind, t(`changes.${kind}`), count(changes[kind].total)] as const);
  const unread = notRead === undefined ? [] : [["notRead", t("changes.notRead"), count(notRead)] as const];
  return (
    <Part title={title}>
      <DataTable label={title} columns={[t("changes.kind"), t("verified.objects")]} rows={[...rows, ...unread]} />
    </Part>
  );
}

/** Objects that the receipt names, each with a note. Renders nothing if there are none. */
export function Named({ title, detail, total, lines, more = "more" }: VerifiedProps) {
  const { t } = useTranslation("receipt");
  const { count } = useFormats();
  if (total === 0) return null;
  const shown = lines.slice(0, NAMED);
  return (
    <Part title={title}>
      {detail !== undefined && <p>{detail}</p>}
      <NamedObjects
        lines={shown}
        more={total > shown.length ? t(`named.${more}`, { shown: count(total - shown.length) }) : undefined}
      />
    </Part>
  );
}

const TONES = {
  holds: "good",
  broken: "bad",
  "unknown-key": "bad",
  unsupported: "warn",
  "no-receipt": "bad",
} as const satisfies Record<Found["state"], string>;

interface SignatureProps {
  /** Undefined during verification. */
  signature: Found | undefined;
  error: Error | null;
  submission: string;
}

/** Whether the signature is valid, which key verified it, and how to verify it without this service. */
export function Signature({ signature, error, submission }: SignatureProps) {
  const { t } = useTranslation("receipt");
  const command = `accession receipt verify receipt-${submission}.jws --jwks jwks.json`;
  const tone = signature === undefined ? "warn" : TONES[signature.state];
  return (
    <Part title={t("signature.title")}>
      <Stack role="status" gap="0.625rem">
        {signature === undefined ? (
          <p>{t(error === null ? "signature.checking" : "signature.failed")}</p>
        ) : (
          <>
            <p className={classes.verdict} data-tone={tone}>
              {t(`signature.${signature.state}`)}
            </p>
            <p>{t(`signature.${signature.state}Detail`, { kid: signature.kid ?? "", url: KEYS_URL })}</p>
          </>
        )}
      </Stack>
      <p>
        <Trans
          t={t}
          i18nKey="signature.independent"
          components={{ keys: <Anchor href={KEYS_URL} download="jwks.json" underline="always" /> }}
        />
      </p>
      <Copyable text={command} what={t("command", { ns: "ui" })} />
      <CommandHelp />
    </Part>
  );
}
