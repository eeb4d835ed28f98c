import IconMessage from "@tabler/icons-react/dist/esm/icons/IconMessage.mjs";
import { useTranslation } from "react-i18next";
import classes from "./Comments.module.css";
import { useOpenComments } from "./context.ts";
import { countIn } from "./threads.ts";

/** The number of open comments about a file, or about a folder and what is in it. Nothing if there are none. */
export function CommentCount({ path }: { path: string }) {
  const { t } = useTranslation("dataset");
  const count = countIn(useOpenComments()?.threads ?? [], path);
  if (count === 0) return null;
  const words = t("openComments", { count });
  return (
    <span className={classes.badge} title={words}>
      <IconMessage size={16} stroke={1.5} role="img" aria-label={words} /> {count}
    </span>
  );
}
