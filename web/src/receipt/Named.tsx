import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { NamedObjects } from "../ui/NamedObjects.tsx";
import { Part } from "./Part.tsx";

/** A longer list would print as many pages. */
const NAMED = 50;

interface Props {
  title: string;
  total: number;
  /** The first objects. */
  lines: readonly { key: string; words: string }[];
}

/** Objects that the receipt names, each with a note. Renders nothing if there are none. */
export function Named({ title, total, lines }: Props) {
  const { t } = useTranslation("receipt");
  const { count } = useFormats();
  if (total === 0) return null;
  const shown = lines.slice(0, NAMED);
  return (
    <Part title={title}>
      <NamedObjects
        lines={shown}
        more={total > shown.length ? t("named.more", { shown: count(total - shown.length) }) : undefined}
      />
    </Part>
  );
}
