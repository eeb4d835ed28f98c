import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { DataTable } from "../../ui/Section.tsx";
import { useFormats } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import classes from "./DataSource.module.css";
import type { Amount } from "./tree.ts";

/** The number of file types with a separate colour. */
const SHOWN = 5;

interface Share extends Amount {
  name: string;
  percent: number;
}

/** Sizes by file type, as a bar and as a table. */
export function Types({ preview }: { preview: Preview }) {
  const { t } = useTranslation("new");
  const { count } = useFormats();
  const shares = useShares(preview);
  return (
    <div>
      <h4 className={classes.small}>{t("preview.types")}</h4>
      <div className={classes.bar} aria-hidden>
        {shares.map(({ name, percent }, index) => (
          <span key={name} data-share={index} style={{ flexGrow: percent }} />
        ))}
      </div>
      <DataTable
        className={classes.table}
        label={t("preview.types")}
        columns={[t("preview.type"), t("preview.share"), t("preview.objects"), t("preview.bytes")]}
        rows={shares.map(({ name, objects, bytes, percent }, index) => [
          name,
          <Fragment key="n">
            <span className={classes.colour} data-share={index} aria-hidden />
            <Name>{name}</Name>
          </Fragment>,
          `${percent < 1 ? "< 1" : count(Math.round(percent))} %`,
          count(objects),
          <Bytes key="b" value={bytes} />,
        ])}
      />
    </div>
  );
}

/** The largest file types by name, and all others as one row. */
function useShares({ types, objects, bytes }: Preview): Share[] {
  const { t } = useTranslation("new");
  const named = types.slice(0, types.length === SHOWN + 1 ? SHOWN + 1 : SHOWN);
  const rest = {
    objects: named.reduce((left, type) => left - type.objects, objects),
    bytes: named.reduce((left, type) => left - type.bytes, bytes),
  };
  const shares = named.map(({ extension, ...type }) => ({
    ...type,
    name: extension === "" ? t("preview.noExtension") : `.${extension}`,
  }));
  const all = rest.objects === 0 ? shares : [...shares, { ...rest, name: t("preview.others") }];
  return all.map((share) => ({ ...share, percent: percentOf(share, { objects, bytes }) }));
}

/** The share of the bytes; the share of the objects if all objects are empty. */
function percentOf(part: Amount, all: Amount): number {
  if (all.bytes > 0) return (100 * part.bytes) / all.bytes;
  return all.objects > 0 ? (100 * part.objects) / all.objects : 0;
}
