import { Button, Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, accessQuery, type Grant } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import publicationClasses from "../publication/Publication.module.css";
import { visible } from "../ui/format.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import classes from "./Access.module.css";
import { AnswerDialog } from "./AnswerDialog.tsx";
import { Asked, nameOf } from "./Asked.tsx";
import { GrantDialog } from "./GrantDialog.tsx";
import { RevokeDialog, useGrantName } from "./RevokeDialog.tsx";

/** The time in which a closing dialog returns the focus. */
const FOCUS_MS = 400;

/** For owner and curators: who can read closed files, and who asks for it. */
export default function AccessSection({ publication }: { publication: Publication }) {
  const { t } = useTranslation("access");
  const query = useQuery(accessQuery(publication.dataset));
  const trouble = useQueryState(query);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isGranting, setGranting] = useState(false);
  const [answered, setAnswered] = useState<AccessRequest>();
  const [revoked, setRevoked] = useState<Grant>();
  const nameOfGrant = useGrantName();
  const close = () => {
    setAnswered(undefined);
    setRevoked(undefined);
    // The button that opened the dialog has disappeared if the request was answered, or the grant revoked.
    setTimeout(() => {
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    }, FOCUS_MS);
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
          <ul className={classes.entries} aria-labelledby="access-requests">
            {requests.map((request) => (
              <li key={request.id} className={classes.entry}>
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
        <ul className={classes.entries} aria-label={t("manage.grants")}>
          {grants.map((grant) => (
            <li key={grant.id} className={classes.entry}>
              <Granted grant={grant} />
              <Button
                variant="subtle"
                aria-label={t("revoke.of", { name: nameOfGrant(grant) })}
                onClick={() => setRevoked(grant)}
              >
                {t("revoke.button")}
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
      <GrantDialog publication={publication} isOpen={isGranting} onClose={() => setGranting(false)} />
      <RevokeDialog dataset={publication.dataset} grant={revoked} onClose={close} />
      <AnswerDialog request={answered} onClose={close} />
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
      <span className={publicationClasses.small}>
        {version === null ? t("manage.all") : t("version", { version })} ·{" "}
        {expiresAt === null ? t("manage.forever") : t("manage.until")}{" "}
        {expiresAt !== null && <DateTime iso={expiresAt} />} · {usedAt === null ? t("manage.unused") : t("manage.used")}{" "}
        {usedAt !== null && <DateTime iso={usedAt} />}
      </span>
    </>
  );
}
