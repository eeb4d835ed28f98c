import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Dataset, Version } from "../api/dataset.ts";
import type { Metadata } from "../api/metadata.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { useFormats } from "../ui/format.ts";
import { visible } from "../ui/visible.ts";
import classes from "./Dataset.module.css";
import { Facts } from "./Facts.tsx";
import { Licence } from "./Licence.tsx";
import { People } from "./People.tsx";
import { Section } from "./Section.tsx";

/** What is said of a dataset besides its title, its description and who made it. */
export function About({ dataset, version, metadata }: { dataset: Dataset; version: Version; metadata: Metadata }) {
  const { t, i18n } = useTranslation("dataset");
  const { language, subjects, rightsList, contributors, publisher } = metadata;
  const available = metadata.dates.find(({ dateType }) => dateType === "Available")?.date;
  const isEmbargoed = available !== undefined && available > version.publishedAt.slice(0, 10);
  return (
    <Section title={t("about.title")}>
      <Facts
        facts={[
          [t("about.licence"), rightsList[0] && <Licence key="l" rights={rightsList[0]} />],
          [t("about.embargo"), isEmbargoed && <Embargo key="e" until={available} />],
          [t("about.subjects"), subjects.map(({ subject }) => visible(subject)).join(" · ")],
          [t("about.language"), language && languageName(language, i18n.language)],
          [t("about.contributors"), contributors.length > 0 && <People key="c" people={contributors} />],
          [t("about.publisher"), visible(publisher.name)],
          [
            t("about.identifier"),
            <span key="i" className={classes.identifier}>
              {dataset.identifier}
              <CopyButton text={dataset.identifier} what={t("about.identifier")} />
            </span>,
          ],
          [
            t("about.submission"),
            <Anchor key="s" component={Link} href={`/submissions/${version.submission}`} inherit>
              {t("about.toSubmission")}
            </Anchor>,
          ],
        ]}
      />
    </Section>
  );
}

function Embargo({ until }: { until: string }) {
  const { t } = useTranslation("dataset");
  const { calendarDay } = useFormats();
  return (
    <>
      <time dateTime={until}>{calendarDay(until)}</time>
      <span className={classes.small}>{t("about.embargoMeans")}</span>
    </>
  );
}

/** A language by its name in another one; its code where it has none. */
function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
