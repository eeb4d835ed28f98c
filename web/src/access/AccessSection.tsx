import { Button, Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, accessQuery, type Grant, useRevoke } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import publicationClasses from "../publication/Publication.module.css";
import common from "../ui/Common.module.css";
import { ConfirmDialog, Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { visible } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { focusIfLost } from "../ui/useCaughtFocus.ts";
import classes from "./Access.module.css";
import { AnswerForm, Asked, GrantForm, nameOf } from "./GrantForms.tsx";
import "../review/words.ts";
import "./words.ts";

/** For owner and curators: who can read closed files, and who asks for it. */
export default function AccessSection({ publication }: { publication: Publication }) {
  const { t } = useTranslation("access");
  const query = useQuery(accessQuery(publication.dataset));
  const trouble = useQueryState(query);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isGranting, setGranting] = useState(false);
  const [answered, setAnswered] = useState<AccessRequest>();
  const [revoked, setRevoked] = useState<Grant>();
  const revoking = useRevoke(publication.dataset);
  const nameOfGrant = useGrantName();
  const close = () => {
    setAnswered(undefined);
    setRevoked(undefined);
    // The button that opened the dialog has disappeared if the request was answered, or the grant revoked.
    focusIfLost(heading);
  };
  const grants = query.data?.grants.filter(({ inForce }) => inForce) ?? [];
  const requests = query.data?.requests.filter(({ state }) => state === "open") ?? [];
  if (publication.access === "open" && grants.length === 0 && requests.length === 0) return null;
  return (
    <section className={publicationClasses.part} aria-labelledby="publication-access">
      <Title order={3} size="h5" id="publication-access" tabIndex={-1} ref={heading}>
        {t("manage.title")}
      </Title>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {requests.length > 0 && (
        <Stack gap="xs">
          <p id="access-requests">{t("manage.requests", { count: requests.length })}</p>
          <ul className={`${common.list} ${classes.entries}`} aria-labelledby="access-requests">
            {requests.map((request) => (
              <li key={request.id} className={common.entry}>
                <Asked request={request} />
                <Button
                  variant="default"
                  aria-label={t("manage.answerTo", { name: nameOf(request) })}
                  onClick={() => setAnswered(request)}
                >
                  {t("manage.answer")}
                </Button>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {query.data !== undefined && grants.length === 0 && <p>{t("manage.none")}</p>}
      {grants.length > 0 && (
        <ul className={`${common.list} ${classes.entries}`} aria-label={t("manage.grants")}>
          {grants.map((grant) => (
            <li key={grant.id} className={common.entry}>
              <Granted grant={grant} />
              <Button
                variant="subtle"
                aria-label={t("revoke.of", { name: nameOfGrant(grant) })}
                onClick={() => setRevoked(grant)}
              >
                {t("links.revoke", { ns: "review" })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={() => setGranting(true)}>
          {t("manage.grant")}
        </Button>
      </Group>
      {/* Rendered also while they are closed, so that the focus returns to the buttons that opened them. */}
      <Dialog isOpen={isGranting} title={t("manage.grant")} isGrowing onClose={() => setGranting(false)}>
        <GrantForm publication={publication} onClose={() => setGranting(false)} />
      </Dialog>
      <ConfirmDialog
        isOpen={revoked !== undefined}
        title={t("revoke.title")}
        detail={revoked === undefined ? "" : t("revoke.detail", { name: nameOfGrant(revoked) })}
        confirm={t("links.revoke", { ns: "review" })}
        isDangerous
        isBusy={revoking.isPending}
        onClose={close}
        onConfirm={() => revoked !== undefined && revoking.mutate(revoked.id, { onSuccess: close })}
        error={revoking.error}
      />
      <Dialog isOpen={answered !== undefined} title={t("answer.title")} isGrowing onClose={close}>
        {answered !== undefined && <AnswerForm request={answered} onClose={close} />}
      </Dialog>
    </section>
  );
}

/** To whom access is granted, until when and what for. */
function Granted({ grant: { kind, person, version, note, expiresAt, usedAt } }: { grant: Grant }) {
  const { t } = useTranslation("access");
  return (
    <>
      <span>
        {kind === "link" ? (
          t("manage.link")
        ) : kind === "subject" ? (
          <Account name={person ?? ""} />
        ) : (
          visible(person ?? "")
        )}
        {note !== "" && `: ${visible(note)}`}
      </span>
      <span className={common.small}>
        {version === null ? t("manage.all") : t("version", { ns: "ui", version })} ·{" "}
        {expiresAt === null ? t("manage.forever") : t("manage.until")}{" "}
        {expiresAt !== null && <DateTime iso={expiresAt} />} · {usedAt === null ? t("manage.unused") : t("manage.used")}{" "}
        {usedAt !== null && <DateTime iso={usedAt} />}
      </span>
    </>
  );
}

/** Gives the name of a grant: the person, or the link with its note. */
function useGrantName(): (grant: Grant) => string {
  const { t } = useTranslation("access");
  return ({ kind, person, note }) => visible(kind === "link" ? `${t("manage.link")} ${note}`.trim() : (person ?? ""));
}
