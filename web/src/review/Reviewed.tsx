import { Anchor, Code, Stack, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import type { PackageMetadata } from "../api/metadata.ts";
import type { Review } from "../api/review.ts";
import { FurtherTexts, LongText, languageName } from "../dataset/about/LongText.tsx";
import { Funding, OutsideLink, RelatedWorks } from "../dataset/about/RelatedWorks.tsx";
import { useFurtherFacts } from "../dataset/about/useFurtherFacts.tsx";
import datasetClasses from "../dataset/Dataset.module.css";
import common from "../ui/Common.module.css";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Facts, Section } from "../ui/Section.tsx";
import { useFormats, visible } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import { DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Review.module.css";
import { ReviewFiles } from "./ReviewFiles.tsx";
import "./words.ts";

/** A version of a dataset, as reviewers see it. */
export function Reviewed({ review, secret }: { review: Review; secret: string }) {
  const { t } = useTranslation("review");
  const further = furtherOf(review);
  return (
    <>
      <Notice review={review} />
      <div className={datasetClasses.columns}>
        <Stack gap="2.25rem" miw={0}>
          {review.named !== null && <People people={review.named.people} />}
          {review.metadata.description !== undefined && (
            <Section title={t("text.description", { ns: "dataset" })}>
              <LongText title={t("text.description", { ns: "dataset" })} text={review.metadata.description} />
            </Section>
          )}
          <FurtherTexts further={further} />
          <ReviewFiles review={review} secret={secret} />
          <RelatedWorks works={further.relatedIdentifiers} />
          <Funding grants={further.fundingReferences} />
        </Stack>
        <Stack gap="2.25rem" miw={0}>
          <About review={review} further={further} />
          <Commitments review={review} />
        </Stack>
      </div>
    </>
  );
}

/** All metadata of a plain view; those that describe the data of an anonymous one. */
function furtherOf({ named, metadata }: Review): PackageMetadata {
  return named === null ? metadata : (named.metadata as PackageMetadata);
}

/** What the visitor sees, until when, and what was excluded. */
function Notice({ review: { anonymous, expiresAt, state, files } }: { review: Review }) {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  return (
    <Stack gap="xs" className={classes.notice}>
      <p>
        <Trans
          t={t}
          i18nKey={anonymous ? "notice.anonymous" : "notice.named"}
          components={{ until: <DateTime iso={expiresAt} /> }}
        />
      </p>
      <p>{t(`states.${state}`)}</p>
      {anonymous && (
        <p>
          {files.leftOut > 0 && `${t("notice.leftOut", { count: files.leftOut, shown: count(files.leftOut) })} `}
          {t("notice.mayName")}
        </p>
      )}
    </Stack>
  );
}

function People({ people }: Pick<NonNullable<Review["named"]>, "people">) {
  const { t } = useTranslation("review");
  return (
    <Section title={t("people")}>
      <ul className={datasetClasses.people}>
        {people.map(({ name, orcid, affiliations, role }, index) => (
          // Two persons can have the same name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the people never changes here.
          <li key={index}>
            <span>
              <Name>{name}</Name>
              {role !== "Creator" && <span className={common.dimmed}> · {visible(role)}</span>}
              {orcid !== null && (
                <Anchor ml="0.5rem" fz="sm" href={orcid} target="_blank" rel="noreferrer">
                  ORCID
                </Anchor>
              )}
            </span>
            {affiliations.map((affiliation) => (
              <span key={affiliation} className={common.dimmed}>
                <Name>{affiliation}</Name>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function About({ review: { metadata, named, version }, further }: { review: Review; further: PackageMetadata }) {
  const { t, i18n } = useTranslation("review");
  const { calendarDay } = useFormats();
  const facts = useFurtherFacts(further);
  const { license, subjects, language, embargoDate } = metadata;
  return (
    <Section title={t("about")}>
      <Facts
        facts={[
          [
            t("about.licence", { ns: "dataset" }),
            license === undefined ? (
              t("noLicence")
            ) : (
              <OutsideLink key="l" href={license.url}>
                {t(`licenceNames.${license.spdx as "CC0-1.0"}`, { ns: "dataset", defaultValue: license.name })}
              </OutsideLink>
            ),
          ],
          ...facts.licences,
          [t("about.embargo", { ns: "dataset" }), embargoDate && calendarDay(embargoDate)],
          [t("about.subjects", { ns: "dataset" }), subjects.map(visible).join(" · ")],
          [t("about.language", { ns: "dataset" }), language && languageName(language, i18n.language)],
          ...facts.described,
          ...facts.contact,
          ...facts.identifiers,
          [t("publisher"), named && visible(named.publisher)],
          [t("archived.version", { ns: "receipt" }), String(version)],
        ]}
      />
    </Section>
  );
}

/** The digest that commits to what is reviewed, and earlier ones. */
function Commitments({ review: { commitment, earlierCommitments } }: { review: Review }) {
  const { t } = useTranslation("review");
  return (
    <Section title={t("commitment.title")}>
      <div className={datasetClasses.digest}>
        <Code className={classes.digest}>{commitment.sha512}</Code>
        <CopyButton text={commitment.sha512} what={t("commitment.title")} />
      </div>
      <Text className={common.small}>{t("commitment.means")}</Text>
      {earlierCommitments.length > 0 && (
        <>
          <Text className={common.small}>
            <Trans t={t} i18nKey="commitment.changed" components={{ at: <DateTime iso={commitment.since} /> }} />
          </Text>
          <ul className={`${common.list} ${datasetClasses.works}`}>
            {earlierCommitments.map(({ sha512, since }) => (
              <li key={sha512}>
                <span className={common.small}>
                  <Trans t={t} i18nKey="commitment.since" components={{ at: <DateTime iso={since} /> }} />
                </span>
                <div className={datasetClasses.digest}>
                  <Code className={classes.digest}>{sha512}</Code>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
