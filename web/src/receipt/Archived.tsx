import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { useFormats } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { Facts } from "../ui/Section.tsx";
import { Part } from "./Part.tsx";
import classes from "./Receipt.module.css";

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
  const isAll = prefix === "" && include.length === 0 && exclude.length === 0;
  return (
    <Part title={t("facts.source", { ns: "publication" })}>
      <Facts
        className={classes.facts}
        facts={[
          [t("source.endpoint"), endpoint],
          [t("source.bucket"), bucket],
          [t("source.selection"), isAll ? t("source.all") : undefined],
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
          <code>
            <Name>{pattern}</Name>
          </code>
        </li>
      ))}
    </Stack>
  );
}
