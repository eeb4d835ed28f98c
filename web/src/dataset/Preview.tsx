import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../api/dataset-files.ts";
import { useStanding } from "../api/standing.ts";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { visible } from "../ui/visible.ts";
import { nameOf } from "./browse.ts";
import { Picture } from "./Picture.tsx";
import classes from "./Preview.module.css";
import { previewQuery, type Shown } from "./preview.ts";
import { Scrollable } from "./Scrollable.tsx";
import { TablePreview } from "./TablePreview.tsx";
import type { Source } from "./useDownload.ts";

/** The beginning of a file, as text, as a table, or as a picture. */
export function Preview({ file, from }: { file: DatasetFile; from: Source }) {
  const query = useQuery(previewQuery(from, file));
  const { data } = query;
  const trouble = useStanding(query);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (data === undefined) return <Skeleton height="16rem" />;
  return <ShownFile shown={data} name={visible(nameOf(file.path))} />;
}

function ShownFile({ shown, name }: { shown: Shown; name: string }) {
  const { t } = useTranslation("dataset");
  switch (shown.kind) {
    case "none":
      return <p className={classes.none}>{t(`preview.${shown.because}`)}</p>;
    case "picture":
      return <Picture picture={shown.picture} name={name} />;
    case "table":
      return (
        <figure className={classes.figure}>
          <TablePreview rows={shown.rows} name={name} />
          <Note shown={shown} />
        </figure>
      );
    case "text":
      return (
        <figure className={classes.figure}>
          <Scrollable className={classes.text} label={t("preview.of", { name })}>
            <pre>{shown.text}</pre>
          </Scrollable>
          <Note shown={shown} />
        </figure>
      );
  }
}

/** How it was read, where that is not what one would take for granted. */
function Note({ shown: { encoding, isWhole } }: { shown: Shown & { kind: "text" | "table" } }) {
  const { t } = useTranslation("dataset");
  const notes = [
    ...(isWhole ? [] : [t("preview.cut")]),
    ...(encoding === "utf-8" ? [] : [t("preview.encoding", { encoding })]),
  ];
  return notes.length === 0 ? null : <figcaption>{notes.join(" ")}</figcaption>;
}
