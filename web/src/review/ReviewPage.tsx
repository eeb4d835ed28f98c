import { ProblemError } from "@accession/client";
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { reviewQuery } from "../api/review.ts";
import { isPassing, useKept, useQueryState } from "../api/service.ts";
import headerClasses from "../shell/Header.module.css";
import { ColourSwitch, LanguageSwitch, MAIN } from "../shell/Header.tsx";
import classes from "../shell/Shell.module.css";
import icon from "../theme/icon.svg";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import type { Language } from "../words/words.ts";
import { Reviewed } from "./Reviewed.tsx";
import "./words.ts";

/**
 * The page of a reviewer link. Its secret is the part of the address after `#`, which browsers do not send. The page sends
 * requests about the review only, also if the visitor is signed in.
 */
export default function ReviewPage() {
  const secret = useSecret();
  return <ReviewFrame>{secret === "" ? <Incomplete /> : <Opened key={secret} secret={secret} />}</ReviewFrame>;
}

function Opened({ secret }: { secret: string }) {
  const { t, i18n } = useTranslation("review");
  const query = useQuery(reviewQuery(secret, i18n.language as Language));
  const trouble = useQueryState(query);
  const review = useKept(query.data, "review");
  if (trouble !== undefined && !(isPassing(trouble) && review !== undefined)) {
    const { error, onRetry } = trouble;
    return (
      <Message>
        {error instanceof ProblemError ? <Refused error={error} /> : <ProblemAlert error={error} onRetry={onRetry} />}
      </Message>
    );
  }
  return (
    <Stack gap="xl" aria-busy={review === undefined}>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      <PageHeading title={review && (review.metadata.title || t("title"))} />
      {review === undefined ? <Skeleton height="70vh" /> : <Reviewed review={review} secret={secret} />}
    </Stack>
  );
}

function Incomplete() {
  const { t } = useTranslation("review");
  return (
    <Message>
      <TroubleAlert trouble={{ title: t("incomplete.title"), action: t("incomplete.action") }} />
    </Message>
  );
}

/** Why the link cannot be used. It does not name a party that must act, because reviewers have no role. */
function Refused({ error: { problem } }: { error: ProblemError }) {
  const { title, action, code } = problem;
  return <TroubleAlert trouble={{ title, action, code }} />;
}

function Message({ children }: { children: ReactNode }) {
  const { t } = useTranslation("review");
  return (
    <Stack gap="xl" maw="44rem">
      <PageHeading title={t("title")} />
      {children}
    </Stack>
  );
}

/** The part of the address after `#`, also after it was changed. */
function useSecret(): string {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener("hashchange", listener);
      return () => window.removeEventListener("hashchange", listener);
    },
    () => location.hash.slice(1),
  );
}

/** Header of the page of a reviewer link. It has no navigation, because reviewers have no account. */
function ReviewFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  return (
    <div className={classes.page}>
      <header className={classes.container}>
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
