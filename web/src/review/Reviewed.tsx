import { Anchor, Code, Stack, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../api/metadata.ts";
import type { Review } from "../api/review.ts";
import { Funding } from "../dataset/about/Funding.tsx";
import { FurtherTexts } from "../dataset/about/FurtherTexts.tsx";
import { LongText } from "../dataset/about/LongText.tsx";
import { languageName } from "../dataset/about/languageName.ts";
import { RelatedWorks } from "../dataset/about/RelatedWorks.tsx";
import { useFurtherFacts } from "../dataset/about/useFurtherFacts.tsx";
import datasetClasses from "../dataset/Dataset.module.css";
import { Facts, Section } from "../dataset/Section.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { useFormats, visible } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { DateTime } from "../ui/Numbers.tsx";
import classes from "./Review.module.css";
import { ReviewFiles } from "./ReviewFiles.tsx";

/** A version of a dataset, as reviewers see it. */
export function Reviewed({ review, secret }: { review: Review; secret: string }) {
  const { t } = useTranslation("review");
  const further = furtherOf(review);
  return (
    <>
      <Notice review={review} />
      <div className={datasetClasses.columns}>
        <div className={datasetClasses.main}>
          {review.named !== null && <People people={review.named.people} />}
          {review.metadata.description !== undefined && (
            <Section title={t("description")}>
              <LongText title={t("description")} text={review.metadata.description} />
            </Section>
          )}
          <FurtherTexts further={further} />
          <ReviewFiles review={review} secret={secret} />
          <RelatedWorks works={further.relatedIdentifiers} />
          <Funding grants={further.fundingReferences} />
        </div>
        <div className={datasetClasses.aside}>
          <About review={review} further={further} />
          <Commitments review={review} />
        </div>
      </div>
    </>
  );
}

/** All metadata of a plain view; those that describe the data of an anonymous one. */
function furtherOf({ named, metadata }: Review): FurtherMetadata {
  return named === null ? metadata : (named.metadata as FurtherMetadata);
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
              {role !== "Creator" && <span className={datasetClasses.role}> · {visible(role)}</span>}
              {orcid !== null && (
                <Anchor className={datasetClasses.orcid} href={orcid} target="_blank" rel="noreferrer">
                  ORCID
                </Anchor>
              )}
            </span>
            {affiliations.map((affiliation) => (
              <span key={affiliation} className={datasetClasses.affiliation}>
                <Name>{affiliation}</Name>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function About({ review: { metadata, named, version }, further }: { review: Review; further: FurtherMetadata }) {
  const { t, i18n } = useTranslation("review");
  const { calendarDay } = useFormats();
  const facts = useFurtherFacts(further);
  const { license, subjects, language, embargoDate } = metadata;
  const url = license?.url;
  return (
    <Section title={t("about")}>
      <Facts
        facts={[
          [
            t("licence"),
            license === undefined ? (
              t("noLicence")
            ) : url !== undefined && /^https?:\/\//i.test(url) ? (
              <Anchor key="l" href={url} target="_blank" rel="noreferrer" inherit>
                {license.name}
              </Anchor>
            ) : (
              license.name
            ),
          ],
          ...facts.licences,
          [t("embargo"), embargoDate && calendarDay(embargoDate)],
          [t("keywords"), subjects.map(visible).join(" · ")],
          [t("language"), language && languageName(language, i18n.language)],
          ...facts.described,
          ...facts.contact,
          ...facts.identifiers,
          [t("publisher"), named && visible(named.publisher)],
          [t("version"), String(version)],
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
      <Text className={datasetClasses.small}>{t("commitment.means")}</Text>
      {earlierCommitments.length > 0 && (
        <>
          <Text className={datasetClasses.small}>
            <Trans t={t} i18nKey="commitment.changed" components={{ at: <DateTime iso={commitment.since} /> }} />
          </Text>
          <ul className={datasetClasses.works}>
            {earlierCommitments.map(({ sha512, since }) => (
              <li key={sha512}>
                <span className={datasetClasses.small}>
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
