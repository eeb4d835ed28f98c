import { Button, Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, accessQuery, type Grant, useRevoke } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import publicationClasses from "../publication/Publication.module.css";
import common from "../ui/Common.module.css";
import { ConfirmDialog, Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { DateTime } from "../ui/text/Numbers.tsx";
import { focusIfLost } from "../ui/useCaughtFocus.ts";
import classes from "./Access.module.css";
import { EndedAccess } from "./EndedAccess.tsx";
import { AnswerForm, Asked, GrantForm, nameOf } from "./GrantForms.tsx";
import { GrantUses } from "./GrantUses.tsx";
import { Grantee, Uses, useGrantName } from "./GrantWords.tsx";
import { UsesButton } from "./UsesButton.tsx";
import "../review/words.ts";
import "./words.ts";

/** For owner and curators: who can read closed files and has read them, who asks for it, and the access that has ended. */
export default function AccessSection({ publication }: { publication: Publication }) {
  const { t } = useTranslation("access");
  const query = useQuery(accessQuery(publication.dataset));
  const trouble = useQueryState(query);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isGranting, setGranting] = useState(false);
  const [answered, setAnswered] = useState<AccessRequest>();
  const [revoked, setRevoked] = useState<Grant>();
  const [used, setUsed] = useState<Grant>();
  const revoking = useRevoke(publication.dataset);
  const nameOfGrant = useGrantName();
  const close = () => {
    setAnswered(undefined);
    setRevoked(undefined);
    // The button that opened the dialog has disappeared if the request was answered, or the grant revoked.
    focusIfLost(heading);
  };
  const all = query.data?.grants.map((grant) => named(grant, query.data.requests)) ?? [];
  const grants = all.filter(({ inForce }) => inForce);
  const requests = query.data?.requests.filter(({ state }) => state === "open") ?? [];
  const ended = all.filter(({ inForce }) => !inForce);
  const decided = query.data?.requests.filter(({ state }) => state !== "open") ?? [];
  const isEmpty = [grants, requests, ended, decided].every(({ length }) => length === 0);
  if (publication.access === "open" && isEmpty) return null;
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
              <Group gap="xs">
                <UsesButton grant={grant} onShow={setUsed} />
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t("revoke.of", { name: nameOfGrant(grant) })}
                  onClick={() => setRevoked(grant)}
                >
                  {t("links.revoke", { ns: "review" })}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={() => setGranting(true)}>
          {t("manage.grant")}
        </Button>
      </Group>
      <EndedAccess grants={ended} requests={decided} onShowUses={setUsed} />
      {/* Rendered also while they are closed, so that the focus returns to the buttons that opened them. */}
      <Dialog isOpen={isGranting} title={t("manage.grant")} isGrowing onClose={() => setGranting(false)}>
        <GrantForm publication={publication} onClose={() => setGranting(false)} />
      </Dialog>
      <Dialog isOpen={used !== undefined} title={t("uses.title")} size="lg" onClose={() => setUsed(undefined)}>
        {used !== undefined && <GrantUses grant={used} onClose={() => setUsed(undefined)} />}
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

/** A link without a note that answers a request: with the name of the person who asked. */
function named(grant: Grant, requests: readonly AccessRequest[]): Grant {
  if (grant.kind !== "link" || grant.note !== "") return grant;
  const request = requests.find((one) => one.grant === grant.id);
  return request === undefined ? grant : { ...grant, note: nameOf(request) };
}

/** To whom access is granted, until when and what for. */
function Granted({ grant }: { grant: Grant }) {
  const { t } = useTranslation("access");
  const { version, expiresAt } = grant;
  return (
    <>
      <Grantee grant={grant} />
      <span className={common.small}>
        {version === null ? t("manage.all") : t("version", { ns: "ui", version })} ·{" "}
        {expiresAt === null ? t("manage.forever") : t("manage.until")}{" "}
        {expiresAt !== null && <DateTime iso={expiresAt} />} · <Uses uses={grant.uses} last={grant.usedAt} />
      </span>
    </>
  );
}
