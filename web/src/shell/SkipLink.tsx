import { useTranslation } from "react-i18next";
import classes from "./Shell.module.css";

/** Id of the content. */
export const MAIN = "content";

/** The first thing that Tab reaches: leads past the header. */
export function SkipLink() {
  const { t } = useTranslation("shell");
  return (
    <a
      className={classes.skip}
      href={`${location.pathname}${location.search}#${MAIN}`}
      onClick={(event) => {
        // An address of its own would be a step back in the browser’s history for nothing.
        event.preventDefault();
        document.getElementById(MAIN)?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}
