import { useTranslation } from "react-i18next";
import type { Version } from "../api/dataset.ts";
import { useFormats } from "../ui/format.ts";
import { Bytes, DateTime } from "../ui/Numbers.tsx";
import classes from "./Dataset.module.css";

/** Which version it is, from when, and how much it holds. */
export function VersionLine({ version: { version, publishedAt, objects, bytes } }: { version: Version }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  return (
    <p className={classes.line}>
      <span>{t("version", { version })}</span>
      <DateTime iso={publishedAt} dayOnly />
      <span>{t("files.count", { count: objects, shown: count(objects) })}</span>
      <Bytes value={bytes} />
    </p>
  );
}
