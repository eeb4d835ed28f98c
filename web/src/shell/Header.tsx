import { ActionIcon, Button, NativeSelect, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconSun from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { useCaller, useMayCall, useMaySubmit, usePublishes } from "../api/service.ts";
import { useSession } from "../api/session/session.ts";
import { signOut } from "../api/session/sign-out.ts";
import icon from "../theme/icon.svg";
import { LANGUAGES, type Language, speak } from "../words/words.ts";
import classes from "./Header.module.css";
import shellClasses from "./Shell.module.css";

const MAIL = "/account/mail";

/** The name, the navigation, and the switches for account, language and theme. */
export function Header() {
  const { t } = useTranslation("shell");
  const maySubmit = useMaySubmit();
  const publishes = usePublishes();
  return (
    <header className={shellClasses.container}>
      <SkipLink />
      <div className={classes.inner}>
        <Link href="/" className={classes.name}>
          <img src={icon} alt="" width={28} height={28} />
          <span>{t("name")}</span>
        </Link>
        <nav className={classes.ways} aria-label={t("navigation")}>
          <Way to="/" pattern="/" words={t("submissions")} />
          <Way to="/datasets" pattern="/datasets" words={t("datasets")} />
          {publishes && <Way to="/publications" pattern="/publications" words={t("publications")} />}
          {maySubmit && <Way to="/new" pattern="/new" words={t("new")} />}
        </nav>
        <div className={classes.switches}>
          <Account />
          <MailLink />
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

/** The name of the user and the sign-out button; empty without sign-in. */
function Account() {
  const { t } = useTranslation("shell");
  const { session } = useSession();
  const caller = useCaller();
  if (session === undefined) return null;
  // The owner of a user from an identity provider is its address and the user’s identifier, separated by “#”.
  const name = caller?.owner.split("#").at(-1) ?? "";
  return (
    <>
      <span className={classes.who} title={`${t("signedInAs")} ${caller?.owner ?? ""}`}>
        {name}
      </span>
      <Button variant="default" size="xs" className={classes.signOut} onClick={() => void signOut()}>
        {t("signOut")}
      </Button>
    </>
  );
}

/** Leads to the choices about e-mail. Until the service knows the user, it has its place, so that nothing moves later. */
function MailLink() {
  const { t } = useTranslation("shell");
  const [isHere] = useRoute(MAIL);
  const isKnown = useCaller() !== undefined;
  if (!useMayCall()) return null;
  const words = t("mail");
  return (
    <ActionIcon
      component={Link}
      href={MAIL}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={words}
      aria-current={isHere ? "page" : undefined}
      title={words}
      className={isKnown ? undefined : classes.awaited}
    >
      <IconMail size={20} aria-hidden />
    </ActionIcon>
  );
}

/** Switches between light and dark. If the choice equals the setting of the system, the page follows the system again. */
export function ColourSwitch() {
  const { t } = useTranslation("shell");
  const { setColorScheme } = useMantineColorScheme();
  const present = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const isSystemDark = useMediaQuery("(prefers-color-scheme: dark)", undefined, { getInitialValueInEffect: false });
  const other = present === "dark" ? "light" : "dark";
  const words = other === "dark" ? t("toDark") : t("toLight");
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={words}
      title={words}
      onClick={() => setColorScheme((other === "dark") === isSystemDark ? "auto" : other)}
    >
      {other === "dark" ? <IconMoon size={20} aria-hidden /> : <IconSun size={20} aria-hidden />}
    </ActionIcon>
  );
}

/** Changes the language of the page. Each language is shown by its own name. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation("shell");
  return (
    <NativeSelect
      className={classes.language}
      size="sm"
      aria-label={t("language")}
      value={i18n.language}
      onChange={({ currentTarget }) => void speak(currentTarget.value as Language)}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}

/** The id of the page’s main element, which receives the focus when the skip link is used. */
export const MAIN = "content";

/** The first thing that Tab reaches: leads past the header. */
function SkipLink() {
  const { t } = useTranslation("shell");
  return (
    <a
      className={classes.skip}
      href={`${location.pathname}${location.search}#${MAIN}`}
      onClick={(event) => {
        // A separate address would add an unnecessary entry to the browser’s history.
        event.preventDefault();
        document.getElementById(MAIN)?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}
