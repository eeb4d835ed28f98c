import { Code, Stack, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import type { Review } from "../api/review.ts";
import datasetClasses from "../dataset/Dataset.module.css";
import { Rendered } from "../rendered/Rendered.tsx";
import common from "../ui/Common.module.css";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Section } from "../ui/Section.tsx";
import { useFormats } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Review.module.css";
import { ReviewFiles } from "./ReviewFiles.tsx";
import "./words.ts";

/** A version of a dataset, as reviewers see it. */
export function Reviewed({ review, secret }: { review: Review; secret: string }) {
  const { heading, description, further, details } = review.page;
  return (
    <>
      <Stack mt="-0.75rem">
        <Rendered html={heading} isSeparate />
      </Stack>
      <Notice review={review} />
      <div className={datasetClasses.columns}>
        <Stack gap="2.25rem" miw={0}>
          <Rendered html={description} isSeparate />
          <ReviewFiles review={review} secret={secret} />
          <Rendered html={further} isSeparate />
        </Stack>
        <Stack gap="1.25rem" miw={0} className={datasetClasses.boxes}>
          <Rendered html={details} isSeparate />
          <Commitments review={review} />
        </Stack>
      </div>
    </>
  );
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
