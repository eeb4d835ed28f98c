import { Anchor } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import type { Publication } from "../api/publications.ts";
import common from "../ui/Common.module.css";
import { CopyButton } from "../ui/CopyButton.tsx";
import { OutsideLink } from "../ui/OutsideLink.tsx";
import { Facts } from "../ui/Section.tsx";
import { useFormats, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { Account } from "./Account.tsx";
import { Memberships } from "./Memberships.tsx";
import classes from "./Publication.module.css";
import "./words.ts";

type Props = { publication: Publication };

/** Identifier, access and the people who took part. @param props.onChange called when the user has changed something here */
export function PublicationFacts({ publication, onChange }: Props & { onChange: () => void }) {
  const { t } = useTranslation("publication");
  const { state, publishOnApproval, showSource, assignee, assigneeIsCurator, requestedBy, approvedBy, agreement } =
    publication;
  const { publishedAt, withdrawnReason, conceptDoi, collections } = publication;
  const isWithdrawn = state === "withdrawn";
  const isOver = isWithdrawn || state === "published";
  const hasIdentifier = publication.doi !== null || publication.identifier !== null;
  const isReviewed = state === "in_review" || state === "changes_requested";
  const hasMoment = isReviewed || state === "approved";
  const isReserving = publication.doiState === "reserving";
  const isMember = publication.memberOf.length > 0;
  if (state === "private" && publication.doi === null && !isReserving && !isMember) return null;
  const curator =
    assignee === null ? (
      isReviewed && t("facts.unassigned")
    ) : (
      <Curator key="c" name={assignee} isFormer={assigneeIsCurator === false} />
    );
  return (
    <div className={classes.facts}>
      <Facts
        facts={[
          [
            t(publication.doi === null && !isReserving ? "facts.identifier" : "facts.doi"),
            isReserving ? t("facts.reserving") : hasIdentifier && <Identifier key="i" publication={publication} />,
          ],
          [t("facts.conceptDoi"), conceptDoi !== null && <Doi key="d" doi={conceptDoi} />],
          [t("facts.access"), state !== "private" && <AccessWords key="a" publication={publication} />],
          [t("dataSource", { ns: "ui" }), state !== "private" && showSource && t("facts.sourceShown")],
          [t("facts.collections"), !isOver && collections.length > 0 && <Collections key="s" ids={collections} />],
          [t("facts.memberOf"), isMember && <Memberships key="m" publication={publication} onRemoved={onChange} />],
          [t("facts.moment"), hasMoment && t(publishOnApproval ? "facts.onApproval" : "facts.byOwner")],
          // The time of the present state is stated above.
          [t("facts.published"), isWithdrawn && publishedAt !== null && <DateTime key="p" iso={publishedAt} />],
          [t("facts.reason"), withdrawnReason !== null && <bdi key="r">{visibleLines(withdrawnReason)}</bdi>],
          [t("facts.curator"), curator],
          [t("facts.requestedBy"), requestedBy !== null && <Account key="q" name={requestedBy} />],
          [t("facts.approvedBy"), approvedBy !== null && <Account key="v" name={approvedBy} />],
          [t("facts.agreement"), agreement !== null && <Accepted key="g" agreement={agreement} />],
        ]}
      />
    </div>
  );
}

/** The assigned curator, who may have lost the role since. */
function Curator({ name, isFormer }: { name: string; isFormer: boolean }) {
  const { t } = useTranslation("publication");
  return (
    <>
      <Account name={name} />
      {isFormer && ` (${t("facts.former")})`}
    </>
  );
}

/** The collections for which the owner has asked. */
function Collections({ ids }: { ids: readonly string[] }) {
  return (
    <span className={classes.identifier}>
      {ids.map((id) => (
        <Anchor key={id} href={`${SERVICE_URL}collections/${id}`} size="sm">
          {id}
        </Anchor>
      ))}
    </span>
  );
}

/** A registered DOI. */
function Doi({ doi }: { doi: string }) {
  const { t } = useTranslation("publication");
  const url = `https://doi.org/${doi}`;
  return (
    <span className={classes.identifier}>
      <OutsideLink href={url}>{url}</OutsideLink>
      <CopyButton text={url} what={t("facts.conceptDoi")} />
    </span>
  );
}

/** The DOI or the URN of the version, and whether it can be cited already. */
function Identifier({ publication: { dataset, version, state, identifier, doi, doiState } }: Props) {
  const { t } = useTranslation("publication");
  const isOpen = doiState === "reserved" || doiState === "registering" || doiState === "hidden";
  const text = isOpen ? doi : (identifier ?? doi);
  if (text === null) return null;
  return (
    <>
      <span className={classes.identifier}>
        <span>{isOpen ? text : <OutsideLink href={text}>{text}</OutsideLink>}</span>
        <CopyButton text={text} what={t(doi === null ? "facts.identifier" : "facts.doi")} />
      </span>
      {isOpen && <span className={common.small}>{t(`facts.${doiState}`)}</span>}
      {(state === "published" || state === "withdrawn") && (
        <Anchor href={`${SERVICE_URL}dataset/${dataset}?version=${version}`} size="sm">
          {t("facts.landing")}
        </Anchor>
      )}
    </>
  );
}

/** Who may read the files, and from which day on. */
export function AccessWords({ publication: { access, embargoDate, accessReason, filesOpen, state } }: Props) {
  const { t } = useTranslation("publication");
  const { calendarDay } = useFormats();
  const date = embargoDate === null ? "" : calendarDay(embargoDate);
  const hasEnded = access === "embargoed" && filesOpen && state === "published";
  return (
    <>
      <span>
        {access === "embargoed" ? t(hasEnded ? "access.ended" : "access.until", { date }) : t(`access.${access}`)}
      </span>
      {accessReason !== "" && <bdi className={common.small}>{visibleLines(accessReason)}</bdi>}
    </>
  );
}

function Accepted({ agreement: { by, at } }: { agreement: NonNullable<Publication["agreement"]> }) {
  const { t } = useTranslation("publication");
  return <Trans t={t} i18nKey="facts.accepted" values={{ name: by }} components={{ at: <DateTime iso={at} /> }} />;
}
