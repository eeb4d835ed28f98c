import { Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Version } from "../../api/datasets.ts";
import type { DataciteRecord, PackageMetadata, Person } from "../../api/metadata.ts";
import type { Publication } from "../../api/publications.ts";
import { useService } from "../../api/service.ts";
import { useWithComments } from "../../comments/useWithComments.tsx";
import common from "../../ui/Common.module.css";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts, Section } from "../../ui/Section.tsx";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import classes from "../Dataset.module.css";
import { languageName } from "./LongText.tsx";
import { OutsideLink } from "./RelatedWorks.tsx";
import { useFurtherFacts } from "./useFurtherFacts.tsx";

/** The number of persons that are shown at first, so that a long list does not hide the rest of the page. */
const FIRST = 10;

/** The explained licences, by the beginning of their SPDX identifiers. */
const MEANINGS = [
  [/^CC0-/, "cc0"],
  [/^CC-BY-NC-ND-/, "ccByNcNd"],
  [/^CC-BY-NC-SA-/, "ccByNcSa"],
  [/^CC-BY-NC-/, "ccByNc"],
  [/^CC-BY-ND-/, "ccByNd"],
  [/^CC-BY-SA-/, "ccBySa"],
  [/^CC-BY-/, "ccBy"],
  [/^(MIT|BSD-[23]-Clause|ISC|Apache-2\.0)$/, "permissive"],
  [/^(A|L)?GPL-/, "copyleft"],
] as const;

interface Props {
  version: Version;
  metadata: DataciteRecord;
  further: PackageMetadata;
  /** Undefined if the service does not publish datasets. */
  publication: Pick<Publication, "access" | "state"> | undefined;
}

const PUBLIC: readonly Publication["state"][] = ["registering", "published", "withdrawn"];

/** The metadata of a dataset besides title, description and authors. */
export function About({ version, metadata, further, publication }: Props) {
  const { access, state } = publication ?? {};
  const { t, i18n } = useTranslation("dataset");
  const { language, subjects, rightsList, contributors, publisher } = metadata;
  const facts = useFurtherFacts(further);
  const withComments = useWithComments();
  const available = metadata.dates.find(({ dateType }) => dateType === "Available")?.date;
  // A published version has the embargo of its access; another one, that of its metadata.
  const isPublic = state !== undefined && PUBLIC.includes(state);
  const isEmbargoed =
    available !== undefined && (isPublic ? access === "embargoed" : available > version.publishedAt.slice(0, 10));
  return (
    <Section title={t("about.title")}>
      <Facts
        facts={[
          [t("about.licence"), withComments("license", rightsList[0] && <Licence key="l" rights={rightsList[0]} />)],
          ...facts.licences,
          [
            t("about.embargo"),
            withComments("embargoDate", isEmbargoed && <Embargo key="e" until={available} isInForce={isPublic} />),
          ],
          [t("about.subjects"), withComments("subjects", subjects.map(({ subject }) => visible(subject)).join(" · "))],
          [t("about.language"), withComments("language", language && languageName(language, i18n.language))],
          ...facts.described,
          [t("about.contributors"), contributors.length > 0 && <People key="c" people={contributors} />],
          ...facts.contact,
          [t("about.publisher"), visible(publisher.name)],
          [t("about.identifier"), <Identifier key="i" version={version} />],
          ...facts.identifiers,
          [
            t("about.submission"),
            version.submission !== null && (
              <Anchor key="s" component={Link} href={`/submissions/${version.submission}`} inherit>
                {t("viewSubmission", { ns: "ui" })}
              </Anchor>
            ),
          ],
        ]}
      />
    </Section>
  );
}

/** The identifier of the version: its DOI, or the URN of the dataset. */
function Identifier({ version: { identifier, identifierType } }: Pick<Props, "version">) {
  const { t } = useTranslation("dataset");
  const isDoi = identifierType === "DOI";
  return (
    <>
      <Group component="span" justify="space-between" wrap="nowrap" gap={0} fz="sm">
        {isDoi ? <OutsideLink href={identifier}>{identifier}</OutsideLink> : identifier}
        <CopyButton text={identifier} what={t("about.identifier")} />
      </Group>
      {!isDoi && <span className={common.small}>{t("about.identifierMeans")}</span>}
    </>
  );
}

/** The date of the embargo. Before publication, it is only a proposal; a service that publishes nothing does not use it. */
function Embargo({ until, isInForce }: { until: string; isInForce: boolean }) {
  const { t } = useTranslation("dataset");
  const { calendarDay } = useFormats();
  const publishes = (useService()?.publication ?? "off") !== "off";
  return (
    <>
      <time dateTime={until}>{calendarDay(until)}</time>
      {!isInForce && (
        <span className={common.small}>{t(publishes ? "about.embargoProposed" : "about.embargoMeans")}</span>
      )}
    </>
  );
}

/** The name of a licence, with an explanation. */
function Licence({
  rights: { rights, rightsUri, rightsIdentifier },
}: {
  rights: DataciteRecord["rightsList"][number];
}) {
  const { t, i18n } = useTranslation("dataset");
  const meaning = MEANINGS.find(([form]) => form.test(rightsIdentifier ?? ""))?.[1];
  // The page has the official names of some licences in each language.
  const isNamed = i18n.exists(`licenceNames.${rightsIdentifier}`, { ns: "dataset" });
  const name = isNamed ? t(`licenceNames.${rightsIdentifier as "CC0-1.0"}`) : rights;
  return (
    <>
      <OutsideLink href={rightsUri}>{name}</OutsideLink>
      {meaning !== undefined && <span className={common.small}>{t(`licence.${meaning}`)}</span>}
    </>
  );
}

/** Authors or contributors with affiliations and ORCID records. Shows only the first ones at first. */
export function People({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const [isWhole, setWhole] = useState(false);
  const more = people.length - FIRST;
  return (
    <>
      <ul className={classes.people}>
        {people.slice(0, isWhole ? undefined : FIRST).map((person, index) => (
          // Two persons can have the same name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the authors never changes here.
          <li key={index}>
            <PersonName person={person} />
            {person.affiliation.map(({ name, affiliationIdentifier }) => (
              <span key={name} className={common.dimmed}>
                <Name>{name}</Name>
                <RorLink id={affiliationIdentifier} name={name} />
              </span>
            ))}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          ml="-0.5rem"
          style={{ alignSelf: "flex-start" }}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("people.fewer") : t("people.more", { shown: count(more) })}
        </Button>
      )}
    </>
  );
}

function PersonName({ person: { name, nameIdentifiers, contributorType } }: { person: Person }) {
  const { t } = useTranslation("dataset");
  const { t: form, i18n } = useTranslation("new");
  const isKnown = i18n.exists(`roles.${contributorType}`, { ns: "new" });
  const orcid = nameIdentifiers.find(({ nameIdentifier }) => nameIdentifier.startsWith("https://orcid.org/"));
  return (
    <span>
      <Name>{name}</Name>
      {contributorType !== undefined && contributorType !== "Other" && (
        <span className={common.dimmed}>
          {" "}
          · {isKnown ? form(`roles.${contributorType as "Editor"}`) : contributorType}
        </span>
      )}
      {orcid !== undefined && (
        <Anchor
          ml="0.5rem"
          fz="sm"
          href={orcid.nameIdentifier}
          target="_blank"
          rel="noreferrer"
          aria-label={t("orcidOf", { name: visible(name) })}
        >
          ORCID
        </Anchor>
      )}
      <RorLink id={nameIdentifiers.find(isRor)?.nameIdentifier} name={name} />
    </span>
  );
}

function isRor({ nameIdentifier }: Person["nameIdentifiers"][number]): boolean {
  return nameIdentifier.startsWith("https://ror.org/");
}

/** The link to an institution in ror.org. Nothing without a ROR ID. */
function RorLink({ id, name }: { id: string | undefined; name: string }) {
  const { t } = useTranslation("dataset");
  if (id === undefined || !id.startsWith("https://ror.org/")) return null;
  return (
    <Anchor
      ml="0.5rem"
      fz="sm"
      href={id}
      target="_blank"
      rel="noreferrer"
      aria-label={t("about.rorOf", { name: visible(name) })}
    >
      ROR
    </Anchor>
  );
}
