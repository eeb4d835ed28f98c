import { isMetadataFixed, METADATA_EDITORS } from "@accession/rules";
import { Anchor, Stack } from "@mantine/core";
import type { TFunction } from "i18next";
import { useEffect, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type Publication, type PublicationEntry, refreshDataset } from "../api/publications.ts";
import { useCaller, useService } from "../api/service.ts";
import { ReviewerLinks } from "../reviewer-links/ReviewerLinks.tsx";
import common from "../ui/Common.module.css";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { Section } from "../ui/Section.tsx";
import { visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { focusIfLost } from "../ui/useCaughtFocus.ts";
import { shortName } from "./Account.tsx";
import { Actions } from "./actions/Actions.tsx";
import { Checks } from "./Checks.tsx";
import { History } from "./History.tsx";
import classes from "./Publication.module.css";
import { PublicationBadge } from "./PublicationBadge.tsx";
import { PublicationFacts } from "./PublicationFacts.tsx";
import { useChangedSince } from "./useChangedSince.ts";
import "./words.ts";

/** Loaded on demand, because only owner and curators of published datasets need it. */
const AccessSection = lazyLoaded(() => import("../access/AccessSection.tsx"));

/** Loaded on demand, because only curators and admins need it. */
const DatasetDois = lazyLoaded(async () => ({ default: (await import("../dois/dois.ts")).DatasetDois }));

/** The decisions after which the owner must know the reason first. */
const AGAINST: Partial<Record<Publication["state"], PublicationEntry["action"]>> = {
  changes_requested: "request-changes",
  declined: "decline",
};

const COMPARING = ["curator", "admin"] as const;

interface Props {
  publication: Publication;
  isLatest: boolean;
}

/**
 * The publication of a version: its state, who must act next, the actions of the user, checks, history and comments, and then
 * what can be used at any time: reviewer links, and access to closed files.
 */
export default function PublicationSection({ publication, isLatest }: Props) {
  const { t } = useTranslation("publication");
  const { dataset, version, state, isDelayed, actions, history, revision } = publication;
  const mayEdit = useMayEdit(publication, isLatest);
  const roles = useCaller()?.roles ?? [];
  const hasDoi = publication.doi !== null && COMPARING.some((role) => roles.includes(role));
  const isNewer = useRefreshedDataset(publication);
  const standing = useRef<HTMLDivElement>(null);
  // The button that was used can have disappeared. The new state is what its user wants to know.
  const afterAction = () => focusIfLost(standing);
  return (
    <div id="publication" tabIndex={-1} className={classes.publication}>
      <Section
        title={t("title")}
        beside={<PublicationBadge state={state} isDelayed={state !== "private" && isDelayed} />}
      >
        <Stack gap="lg">
          <div ref={standing} tabIndex={-1} role="status" className={classes.standing}>
            <Standing publication={publication} mayEdit={mayEdit} />
            {isNewer && <p>{t("changed", { revision })}</p>}
          </div>
          <Registration publication={publication} />
          {hasDoi && <DatasetDois dataset={dataset} />}
          <PublicationFacts publication={publication} onChange={afterAction} />
          <Actions publication={publication} onDone={afterAction} />
          <Checks publication={publication} mayEdit={mayEdit} />
          {(history.length > 0 || actions.includes("comment")) && (
            <History publication={publication} mayEdit={mayEdit} isLatest={isLatest} />
          )}
          {actions.length > 0 && <ReviewerLinks dataset={dataset} version={version} mayEdit={mayEdit} />}
          {actions.includes("change-access") && <AccessSection publication={publication} />}
        </Stack>
      </Section>
    </div>
  );
}

/**
 * Fetches the rest of the page again when the metadata, the state or the access have changed, so that a curator sees what is
 * approved. Returns whether other metadata are shown than at first.
 */
function useRefreshedDataset(publication: Publication): boolean {
  const { dataset, revision, state, access, embargoDate, doiState } = publication;
  const [first] = useState(revision);
  const shown = `${revision} ${state} ${access} ${embargoDate} ${doiState}`;
  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    refreshDataset(dataset);
  }, [dataset, shown]);
  return useChangedSince(publication, first);
}

/**
 * Why the registration of the identifier, or a later change at DataCite, is delayed, who must act, and when the service tries again.
 * A failure that can pass without anybody is no more than the time of the next attempt at first.
 */
function Registration({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const { state, problem, isDelayed, attempts, nextAttemptAt } = publication;
  if (problem === null) return null;
  const next = nextAttemptAt !== null && (
    <Trans t={t} i18nKey="registration.next" components={{ at: <DateTime iso={nextAttemptAt} /> }} />
  );
  if (!isDelayed) {
    return (
      <p>
        {t("registration.failed")} {next}
      </p>
    );
  }
  const title = state === "published" || state === "withdrawn" ? "registration.changeDelayed" : "registration.delayed";
  const { code, fault, message, action } = problem;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t(title), message, action, fault, code }}>
      <p>
        {t("registration.attempts", { count: attempts })} {next}
      </p>
    </TroubleAlert>
  );
}

/** Who must act next, and since when; after a decision against publication its words, and where the owner starts. */
function Standing({ publication, mayEdit }: { publication: Publication; mayEdit: boolean }) {
  const { t } = useTranslation("publication");
  const mode = useService()?.publication;
  const { dataset, state, waitingFor, since, history, actions } = publication;
  const decision = AGAINST[state];
  const reason = decision === undefined ? undefined : history.findLast(({ action }) => action === decision)?.comment;
  if (state === "private") return <p>{t(mode === "direct" ? "none.direct" : "none.review")}</p>;
  return (
    <>
      <p>
        <strong>{standing(t, publication)}</strong>{" "}
        <Trans t={t} i18nKey={waitingFor === null ? "on" : "since"} components={{ at: <DateTime iso={since} /> }} />
      </p>
      {reason !== undefined && reason !== "" && <p className={common.quote}>{visibleLines(reason)}</p>}
      {state === "changes_requested" && mayEdit && actions.includes("request") && (
        <p>
          <Anchor component={Link} href={`/datasets/${dataset}/edit`} inherit>
            {t("edit", { ns: "edit" })}
          </Anchor>
        </p>
      )}
    </>
  );
}

function standing(t: TFunction<"publication">, publication: Publication): string {
  const { state, waitingFor, assignee, assigneeIsCurator, doi } = publication;
  if (waitingFor === "curator" && assignee !== null) {
    return t(assigneeIsCurator === false ? "waiting.former" : "waiting.assignee", { name: shortName(assignee) });
  }
  if (state === "registering" && waitingFor === "service" && doi !== null) return t("registration.doi");
  // The alert about a delay names who must act.
  const isOver = state === "published" || state === "withdrawn";
  return t(waitingFor === null || isOver ? `states.${state}` : `waiting.${waitingFor}`);
}

/** Whether the user may change the metadata of this version now; the service decides. */
function useMayEdit({ state }: Publication, isLatest: boolean): boolean {
  const roles = useCaller()?.roles ?? [];
  return isLatest && !isMetadataFixed(state) && METADATA_EDITORS.some((role) => roles.includes(role));
}
