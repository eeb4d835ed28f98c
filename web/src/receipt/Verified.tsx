import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { useFormats } from "../ui/format.ts";
import { NamedObjects } from "../ui/Name.tsx";
import { Part, Table } from "./Part.tsx";

/** The maximum number of objects to list; a longer list would fill many printed pages. */
const NAMED = 50;

interface Props {
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
const WAYS = ["checksum", "md5", "md5-parts", "length"] as const;

/** Object counts by verification method. */
export function Verified({ verified }: { verified: Receipt["verified"] }) {
  const { t } = useTranslation("receipt");
  const rows = WAYS.filter((way) => verified[way] > 0).map((way) => [t(`verified.${way}`), verified[way]] as const);
  return (
    <Part title={t("verified.title", { ns: "dataset" })}>
      {rows.length === 0 ? (
        <p>{t("verified.none")}</p>
      ) : (
        <Table
          label={t("verified.title", { ns: "dataset" })}
          columns={[t("verified.way"), t("verified.objects")]}
          rows={rows}
        />
      )}
    </Part>
  );
}

/** Object counts by comparison with the previous version. */
export function Changes({ changes }: { changes: NonNullable<Receipt["changes"]> }) {
  const { t } = useTranslation("receipt");
  const { since, added, changed, removed, kept } = changes;
  const title = t("changes.title", { since });
  const rows = [
    [t("changes.added"), added.total],
    [t("changes.changed"), changed.total],
    [t("changes.removed"), removed.total],
    [t("changes.kept"), kept.total],
    ...(kept.notRead === undefined ? [] : [[t("changes.notRead"), kept.notRead] as const]),
  ] as const;
  return (
    <Part title={title}>
      <Table label={title} columns={[t("changes.kind"), t("verified.objects")]} rows={rows} />
    </Part>
  );
}

/** Objects that the receipt names, each with a note. Renders nothing if there are none. */
export function Named({ title, detail, total, lines, more = "more" }: Props) {
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
