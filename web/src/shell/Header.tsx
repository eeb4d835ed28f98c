import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import icon from "../theme/icon.svg";
import { Account } from "./Account.tsx";
import { ColourSwitch } from "./ColourSwitch.tsx";
import classes from "./Header.module.css";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { SkipLink } from "./SkipLink.tsx";

/** The name, the ways, and how the page looks and speaks. */
export function Header() {
  const { t } = useTranslation("shell");
  return (
    <header className={classes.header}>
      <SkipLink />
      <div className={classes.inner}>
        <Link href="/" className={classes.name}>
          <img src={icon} alt="" width={28} height={28} />
          {t("name")}
        </Link>
        <nav className={classes.ways} aria-label={t("navigation")}>
          <Way to="/" pattern="/" words={t("submissions")} />
          <Way to="/datasets" pattern="/datasets" words={t("datasets")} />
          <Way to="/new" pattern="/new" words={t("new")} />
        </nav>
        <div className={classes.switches}>
          <Account />
          <LanguageSwitch />
          <ColourSwitch />
        </div>
      </div>
    </header>
  );
}

function Way({ to, pattern, words }: { to: string; pattern: string; words: string }) {
  const [isHere] = useRoute(pattern);
  return (
    <Link href={to} className={classes.way} aria-current={isHere ? "page" : undefined}>
      {words}
    </Link>
  );
}
