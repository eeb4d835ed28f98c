import { useTranslation } from "react-i18next";
import classes from "./ServiceMessage.module.css";

/**
 * A message for which only English text exists: from the service, or from a library. An English page shows it as it is;
 * a page in another language shows its own text and keeps this one folded, for support.
 */
export function ServiceMessage({ text, className }: { text: string; className?: string | undefined }) {
  const { t, i18n } = useTranslation("ui");
  if (i18n.language === "en") return <p className={className}>{text}</p>;
  return (
    <details className={classes.message}>
      <summary>{t("problem.message")}</summary>
      <p lang="en">{text}</p>
    </details>
  );
}
