import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import headerClasses from "../shell/Header.module.css";
import { ColourSwitch, LanguageSwitch, MAIN } from "../shell/Header.tsx";
import classes from "../shell/Shell.module.css";
import icon from "../theme/icon.svg";

/** Header of the page of a reviewer link. It has no navigation, because reviewers have no account. */
export function ReviewFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  return (
    <div className={classes.page}>
      <header className={headerClasses.header}>
        <div className={headerClasses.inner}>
          <span className={headerClasses.name}>
            <img src={icon} alt="" width={28} height={28} />
            {t("name")}
          </span>
          <div className={headerClasses.switches}>
            <LanguageSwitch />
            <ColourSwitch />
          </div>
        </div>
      </header>
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}
