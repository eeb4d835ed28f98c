import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { Part } from "./Part.tsx";
import classes from "./Receipt.module.css";

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
      <ul className={classes.named}>
        {shown.map(({ key, words }) => (
          <li key={key}>
            <code>
              <Name>{key}</Name>
            </code>{" "}
            <span>
              <Name>{words}</Name>
            </span>
          </li>
        ))}
        {total > shown.length && <li>{t("named.more", { shown: count(total - shown.length) })}</li>}
      </ul>
    </Part>
  );
}
