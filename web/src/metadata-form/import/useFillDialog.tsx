import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MetadataSuggestions } from "../../api/intake.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import classes from "./Import.module.css";

/** Loaded when the user opens it. */
const FillDialog = lazyLoaded(() => import("./FillDialog.tsx"));

type Read = () => Promise<MetadataSuggestions>;

/**
 * The dialog that fills the form from files.
 *
 * @returns a function that opens it, and the dialog with a status region for its result
 */
export function useFillDialog(): { open: (read: Read) => void; dialog: ReactNode } {
  const { t } = useTranslation("new");
  const [reading, setReading] = useState<{ read: Read; number: number; isOpen: boolean }>();
  const [filled, setFilled] = useState<number>();
  const close = (count?: number) => {
    // A closed dialog stays, so that the focus returns to the element that had it before.
    setReading((reading) => reading && { ...reading, isOpen: false });
    setFilled(count);
  };
  return {
    open: (read) => setReading((before) => ({ read, number: (before?.number ?? 0) + 1, isOpen: true })),
    dialog: (
      <>
        <p role="status" className={classes.said}>
          {filled === undefined ? "" : t("import.filled", { count: filled })}
        </p>
        {reading !== undefined && (
          <FillDialog key={reading.number} isOpen={reading.isOpen} read={reading.read} onClose={close} />
        )}
      </>
    ),
  };
}
