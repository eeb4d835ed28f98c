import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSteady } from "../list/useEntries.ts";
import classes from "./Import.module.css";
import { readFiles } from "./readFiles.ts";
import { useFillDialog } from "./useFillDialog.tsx";

/** Fills the form from metadata files that the user drops anywhere on the page. The browser would open them otherwise. */
export default function FileDrop() {
  const { t } = useTranslation("new");
  const { open, dialog } = useFillDialog();
  const isOver = useFileDrop((files) => open(() => readFiles(files, t)));
  return (
    <>
      {isOver && <div className={classes.drop}>{t("import.drop")}</div>}
      {dialog}
    </>
  );
}

/** Whether files are dragged over the page. @param take receives dropped files */
function useFileDrop(take: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useSteady(take);
  useEffect(() => {
    const left = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", react: (event: DragEvent, files: FileList) => void) =>
      document.addEventListener(
        name,
        (event) => {
          const { dataTransfer } = event;
          if (dataTransfer?.types.includes("Files")) react(event, dataTransfer.files);
        },
        { signal: left.signal },
      );
    on("dragover", (event) => {
      // A part of the page takes these files.
      if (event.defaultPrevented) return setOver(false);
      event.preventDefault();
      setOver(true);
    });
    on("dragleave", ({ relatedTarget }) => {
      // Leaving an element for another one is not leaving the page.
      if (relatedTarget === null) setOver(false);
    });
    on("drop", (event, files) => {
      setOver(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (files.length > 0) latest([...files]);
    });
    return () => left.abort();
  }, [latest]);
  return isOver;
}
