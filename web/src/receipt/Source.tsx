import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { Name } from "../ui/Name.tsx";
import { Facts, Part } from "./Part.tsx";
import classes from "./Receipt.module.css";

/** The data source and the selection. */
export function Source({ source: { endpoint, bucket, selection } }: { source: Receipt["source"] }) {
  const { t } = useTranslation("receipt");
  const { prefix = "", include = [], exclude = [] } = selection;
  const isAll = prefix === "" && include.length === 0 && exclude.length === 0;
  return (
    <Part title={t("source.title")}>
      <Facts
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
    <ul className={classes.named}>
      {list.map((pattern) => (
        <li key={pattern}>
          <code>
            <Name>{pattern}</Name>
          </code>
        </li>
      ))}
    </ul>
  );
}
