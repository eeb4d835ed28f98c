import { Button, Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { type ReviewerLink, reviewerLinksQuery, useRevokeLink } from "../api/reviewer-links.ts";
import { useQueryState } from "../api/service.ts";
import classes from "../publication/Publication.module.css";
import common from "../ui/Common.module.css";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFormats, visible } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { CreateLinkDialog } from "./CreateLinkDialog.tsx";
import own from "./ReviewerLinks.module.css";
import "../review/words.ts";

interface Props {
  dataset: string;
  version: number;
  /** Whether the user may change the metadata now. */
  mayEdit: boolean;
}

/** The reviewer links of a dataset with their visits. Owners and curators create and revoke them. */
export function ReviewerLinks({ dataset, version, mayEdit }: Props) {
  const { t } = useTranslation("review");
  const query = useQuery(reviewerLinksQuery(dataset));
  const trouble = useQueryState(query);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ReviewerLink>();
  const labelOfRevoked = useLabel(revoked);
  const revoking = useRevokeLink(dataset);
  const close = () => {
    revoking.reset();
    setRevoked(undefined);
  };
  const links = query.data ?? [];
  return (
    <section className={classes.part} aria-labelledby="reviewer-links">
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h5" id="reviewer-links">
          {t("links.title")}
        </Title>
        <Button variant="default" size="xs" onClick={() => setCreating(true)}>
          {t("links.create")}
        </Button>
      </Group>
      <p className={common.small}>{t("links.detail")}</p>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {links.length > 0 && (
        <ul className={`${common.list} ${own.links}`} aria-labelledby="reviewer-links">
          {links.map((link) => (
            <Row key={link.id} link={link} version={version} onRevoke={() => setRevoked(link)} />
          ))}
        </ul>
      )}
      <CreateLinkDialog
        isOpen={isCreating}
        dataset={dataset}
        version={version}
        mayEdit={mayEdit}
        onClose={() => setCreating(false)}
      />
      <ConfirmDialog
        isOpen={revoked !== undefined}
        title={t("links.revokeTitle")}
        detail={t("links.revokeDetail", { label: labelOfRevoked })}
        confirm={t("links.revoke")}
        isDangerous
        isBusy={revoking.isPending}
        onConfirm={() => revoked !== undefined && revoking.mutate(revoked.id, { onSuccess: close })}
        error={revoking.error}
        onClose={close}
      />
    </section>
  );
}

interface RowProps {
  link: ReviewerLink;
  /** The version that the page shows. */
  version: number;
  onRevoke: () => void;
}

function Row({ link, version, onRevoke }: RowProps) {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const label = useLabel(link);
  const { anonymous, state, expiresAt, revokedAt, visits, lastVisitAt } = link;
  const when = { usable: "expires", expired: "expired", revoked: "revoked" } as const;
  return (
    <li data-ended={state !== "usable" || undefined}>
      <span className={own.about}>
        <strong>{label}</strong>
        <span className={common.small}>
          {t(anonymous ? "links.anonymous" : "links.named")}
          {link.version !== version && ` · ${t("links.ofVersion", { version: link.version })}`}
          {" · "}
          <Trans
            t={t}
            i18nKey={`links.${when[state]}`}
            components={{ at: <DateTime iso={revokedAt ?? expiresAt} dayOnly /> }}
          />
          {" · "}
          <Trans
            t={t}
            i18nKey="links.visits"
            count={visits}
            values={{ shown: count(visits) }}
            components={{ at: <DateTime iso={lastVisitAt ?? expiresAt} /> }}
          />
        </span>
      </span>
      {state === "usable" && (
        <Button variant="default" size="xs" aria-label={t("links.revokeOne", { label })} onClick={onRevoke}>
          {t("links.revoke")}
        </Button>
      )}
    </li>
  );
}

function useLabel(link: ReviewerLink | undefined): string {
  const { t } = useTranslation("review");
  return visible(link?.label || t("links.unnamed"));
}
