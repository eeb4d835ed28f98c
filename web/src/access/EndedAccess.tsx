import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import type { AccessRequest, Grant } from "../api/access.ts";
import { Account } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Access.module.css";
import { Asked } from "./GrantForms.tsx";
import { Grantee, Uses } from "./GrantWords.tsx";
import { UsesButton } from "./UsesButton.tsx";
import "./words.ts";

/** Entries that are shown at first, and with each further step. */
const STEP = 20;

interface Props {
  /** Those that were revoked or have expired, newest first. */
  grants: readonly Grant[];
  /** Those that were granted or refused, newest first. */
  requests: readonly AccessRequest[];
  onShowUses: (grant: Grant) => void;
}

/** Folded: the access that has ended, and the requests that were answered, with who did it, when and why. */
export function EndedAccess({ grants, requests, onShowUses }: Props) {
  const { t } = useTranslation("access");
  const count = grants.length + requests.length;
  if (count === 0) return null;
  return (
    <details className={classes.ended}>
      <summary>{t("ended.title", { count })}</summary>
      <Part title={t("ended.grants")} entries={grants}>
        {(grant) => (
          <>
            <Grantee grant={grant} />
            <EndOf grant={grant} />
            <UsesButton grant={grant} onShow={onShowUses} />
          </>
        )}
      </Part>
      <Part title={t("ended.requests")} entries={requests}>
        {(request) => (
          <>
            <Asked request={request} />
            <Answered request={request} />
          </>
        )}
      </Part>
    </details>
  );
}

interface PartProps<Entry> {
  title: string;
  entries: readonly Entry[];
  children: (entry: Entry) => React.ReactNode;
}

/** A list of which the newest entries are shown at first. */
function Part<Entry extends { id: string }>({ title, entries, children }: PartProps<Entry>) {
  const { t } = useTranslation("access");
  const [shown, setShown] = useState(STEP);
  if (entries.length === 0) return null;
  return (
    <>
      <Title order={4} size="h6">
        {title}
      </Title>
      <ul className={`${common.list} ${classes.entries}`} aria-label={title}>
        {entries.slice(0, shown).map((entry) => (
          <li key={entry.id} className={common.entry}>
            {children(entry)}
          </li>
        ))}
      </ul>
      {entries.length > shown && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + STEP)}>
          {t("ended.more")}
        </Button>
      )}
    </>
  );
}

/** How and when a grant has ended, who granted it, and how often it was used. */
function EndOf({ grant }: { grant: Grant }) {
  const { t } = useTranslation("access");
  const { version, grantedBy, createdAt, revokedAt, revokedBy, expiresAt } = grant;
  return (
    <span className={common.small}>
      {version === null ? t("manage.all") : t("version", { ns: "ui", version })} ·{" "}
      <By of="granted" by={grantedBy} at={createdAt} /> ·{" "}
      {revokedAt === null ? (
        <By of="expired" by="" at={expiresAt ?? createdAt} />
      ) : (
        <By of="revoked" by={revokedBy ?? ""} at={revokedAt} />
      )}{" "}
      · <Uses uses={grant.uses} last={grant.usedAt} />
    </span>
  );
}

/** Whether a request was granted, by whom and when, and what the person was told. */
function Answered({ request: { state, decidedBy, decidedAt, answer, createdAt } }: { request: AccessRequest }) {
  if (state === "open") return null;
  return (
    <>
      <span className={common.small}>
        <By of={state} by={decidedBy ?? ""} at={decidedAt ?? createdAt} />
      </span>
      {answer !== "" && <div className={common.quote}>{visibleLines(answer)}</div>}
    </>
  );
}

function By({ of, by, at }: { of: "granted" | "refused" | "revoked" | "expired"; by: string; at: string }) {
  const { t } = useTranslation("access");
  return <Trans t={t} i18nKey={`ended.${of}`} components={{ by: <Account name={by} />, at: <DateTime iso={at} /> }} />;
}
