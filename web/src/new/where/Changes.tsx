import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats } from "../../ui/format.ts";
import { Bytes, Count } from "../../ui/Numbers.tsx";
import classes from "./Where.module.css";

const KINDS = ["added", "changed", "unchanged", "removed"] as const;

/** The differences between a new version and the previous one, and how much the service has to read. */
export function Changes({ changes }: { changes: NonNullable<Preview["changes"]> }) {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes } = useFormats();
  const { since, sameSource, toRead } = changes;
  const objects = t("ui:objects", { count: toRead.objects, shown: count(toRead.objects) });
  const title = t("changes.title", { number: since });
  return (
    <div>
      <h4 className={classes.small}>{title}</h4>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t("changes.kind")}</th>
            <th scope="col">{t("preview.objects")}</th>
            <th scope="col">{t("preview.bytes")}</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => {
            const amount = changes[kind];
            return (
              <tr key={kind}>
                <td>{t(`changes.${kind}`)}</td>
                <td>{amount === null ? t("ui:unknown") : <Count value={amount.objects} />}</td>
                <td>{amount === null ? t("ui:unknown") : <Bytes value={amount.bytes} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={classes.detail}>
        {toRead.objects === 0 ? t("changes.nothing") : t("changes.toRead", { objects, bytes: bytes(toRead.bytes) })}{" "}
        {!sameSource && t("changes.otherSource", { number: since })}
      </p>
    </div>
  );
}
