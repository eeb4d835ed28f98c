import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MetadataSuggestions } from "../../api/metadata-files.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";

/** Loaded when the user opens it. */
const FillDialog = lazyLoaded(() => import("./FillDialog.tsx"));

type Read = () => Promise<MetadataSuggestions>;

/**
 * The dialog that fills the form from files.
 *
 * @returns a function that opens it, the dialog, and a text about the result for a status region
 */
export function useFillDialog(): { open: (read: Read) => void; dialog: ReactNode; said: string } {
  const { t } = useTranslation("new");
  const [read, setRead] = useState<{ run: Read; number: number }>();
  const [filled, setFilled] = useState<number>();
  const close = (count?: number) => {
    setRead(undefined);
    setFilled(count);
  };
  return {
    open: (run) => setRead((before) => ({ run, number: (before?.number ?? 0) + 1 })),
    dialog: read !== undefined && <FillDialog key={read.number} read={read.run} onClose={close} />,
    said: filled === undefined ? "" : t("import.filled", { count: filled }),
  };
}
