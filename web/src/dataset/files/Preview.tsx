import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../../api/datasets.ts";
import { useQueryState } from "../../api/service.ts";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { Scrollable } from "../../ui/Section.tsx";
import { visible } from "../../ui/text/format.ts";
import type { Source } from "../download/DownloadButton.tsx";
import { nameOf } from "./file-names.ts";
import classes from "./Preview.module.css";
import { previewQuery, type Shown } from "./preview.ts";

/** A preview of a file as text, table or image. */
export function Preview({ file, from }: { file: DatasetFile; from: Source }) {
  const query = useQuery(previewQuery(from, file));
  const { data } = query;
  const trouble = useQueryState(query);
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

/** Notes on the preview: its text encoding, and whether it is incomplete. */
function Note({ shown: { encoding, isWhole } }: { shown: Shown & { kind: "text" | "table" } }) {
  const { t } = useTranslation("dataset");
  const notes = [
    ...(isWhole ? [] : [t("preview.cut")]),
    ...(encoding === "utf-8" ? [] : [t("preview.encoding", { encoding })]),
  ];
  return notes.length === 0 ? null : <figcaption>{notes.join(" ")}</figcaption>;
}

/** An image, or a text if the browser cannot display it. */
function Picture({ picture, name }: { picture: Blob; name: string }) {
  const { t } = useTranslation("dataset");
  const [url, setUrl] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  if (isBroken) return <p className={classes.none}>{t("preview.broken")}</p>;
  return (
    <div className={classes.frame}>
      {url !== undefined && (
        <img src={url} alt={t("preview.of", { name })} className={classes.picture} onError={() => setBroken(true)} />
      )}
    </div>
  );
}

/** The first rows of a table; the first row contains the names of the columns. */
function TablePreview({ rows, name }: { rows: readonly string[][]; name: string }) {
  const { t } = useTranslation("dataset");
  const [head = [], ...body] = rows;
  return (
    <Scrollable className={classes.scroll} label={t("preview.of", { name })}>
      <table className={classes.table}>
        <thead>
          <tr>{cells(head, "th")}</tr>
        </thead>
        <tbody>
          {body.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of the rows never changes.
            <tr key={place}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

function cells(row: readonly string[], Cell: "th" | "td") {
  return row.map((text, place) => {
    const isNumber = Cell === "td" && /^\s*[-+]?[\d.,]*\d\s*(?:[eE][-+]?\d+)?\s*$/.test(text);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the cells never changes.
      <Cell key={place} data-number={isNumber || undefined} scope={Cell === "th" ? "col" : undefined}>
        {text}
      </Cell>
    );
  });
}
