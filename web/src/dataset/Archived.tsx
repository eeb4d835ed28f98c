import type { CslItem } from "@accession/rules";
import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Details } from "../api/dataset-details.ts";
import { type Dataset, unpackingQuery, type Version } from "../api/datasets.ts";
import type { Publication } from "../api/publications.ts";
import { CommentsAt } from "../comments/CommentsAt.tsx";
import { CommandHelp, Help } from "../ui/CommandHelp.tsx";
import common from "../ui/Common.module.css";
import { Copyable } from "../ui/CopyButton.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { Section } from "../ui/Section.tsx";
import { useFormats } from "../ui/text/format.ts";
import { Bytes, DateTime } from "../ui/text/Numbers.tsx";
import { About, People } from "./about/About.tsx";
import { FurtherTexts, LongText } from "./about/LongText.tsx";
import { Funding, RelatedWorks } from "./about/RelatedWorks.tsx";
import { Cite } from "./citation/Cite.tsx";
import classes from "./Dataset.module.css";
import { DownloadButton } from "./download/DownloadButton.tsx";
import { Files } from "./files/Files.tsx";
import { Verification } from "./Verification.tsx";
import { Revisions, Versions } from "./Versions.tsx";

/** Loaded on demand, because few datasets have such fields. */
const OwnFields = lazyLoaded(() => import("./about/OwnFields.tsx"));

/** Loaded on demand, because few datasets have such names. */
export const DifferentNames = lazyLoaded(() => import("../ui/DifferentNames.tsx"));

/** Loaded on demand, because few visitors have a copy. */
const CompareCopy = lazyLoaded(() => import("../compare/CompareCopy.tsx"));

/** Loaded on demand, because many services only archive datasets. */
export const PublicationSection = lazyLoaded(() => import("../publication/PublicationSection.tsx"));

const ActNext = lazyLoaded(() => import("../publication/ActNext.tsx"));

/** The command of docs/datasets.md; a test compares the two. */
const CHECK_BAG = String.raw`cat manifest-sha512.txt tagmanifest-sha512.txt |
  sed '/%0[AD]/{s/\\/\\\\/g;s/%0A/\\n/g;s/%0D/\\r/g;s/^/\\/};s/%25/%/g' | sha512sum --quiet -c`;

interface Props {
  dataset: Dataset;
  version: Version;
  details: Details;
  /** Undefined if there is nothing to say about it. */
  publication: Publication | undefined;
}

/** A version of a dataset that is available. */
export function Archived({ dataset, version, details, publication }: Props) {
  const { record: metadata, metadata: further, citation } = details;
  const { t } = useTranslation("dataset");
  const isLatest = version.version === dataset.version;
  return (
    <>
      <Stack gap="0.625rem" mt="-0.75rem">
        <CommentsAt member="title" />
        <People people={metadata.creators} />
        <CommentsAt member="authors" />
        <VersionLine version={version} />
        {!isLatest && (
          <Text className={classes.older}>
            {t("versions.older")}{" "}
            <Anchor component={Link} href={`/datasets/${dataset.id}`} inherit>
              {t("versions.toLatest")}
            </Anchor>
          </Text>
        )}
        {publication !== undefined && <ActNext publication={publication} />}
      </Stack>
      <div className={classes.columns}>
        <Stack gap="2.25rem" miw={0}>
          <Stack gap="0.5rem">
            <LongText title={t("text.description")} text={metadata.descriptions[0]?.description ?? ""} />
            <CommentsAt member="description" />
          </Stack>
          <Cite id={dataset.id} version={version.version} citation={citation as CslItem} />
          <Files id={dataset.id} version={version} />
          <RelatedWorks works={further.relatedIdentifiers} />
          <FurtherTexts further={further} />
          <Funding grants={further.fundingReferences} />
          {publication !== undefined && <PublicationSection publication={publication} isLatest={isLatest} />}
          <CompareCopy id={dataset.id} version={version.version} />
        </Stack>
        <Stack gap="2.25rem" miw={0}>
          <Download dataset={dataset} version={version} />
          <About version={version} metadata={metadata} further={further} publication={publication} />
          {further.fields !== undefined && (
            <OwnFields id={dataset.id} version={version.version} fields={further.fields} />
          )}
          <CommentsAt member="fields" isAbsent={further.fields === undefined} />
          <Verification dataset={dataset} version={version} />
          <Versions dataset={dataset} shown={version.version} />
          {dataset.view === "full" && <Revisions id={dataset.id} version={version.version} isLatest={isLatest} />}
        </Stack>
      </div>
    </>
  );
}

/** The number, date and size of the version. */
function VersionLine({ version: { version, publishedAt, objects, bytes } }: { version: Version }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  return (
    <Group component="p" gap="0.25rem 1.25rem" c="dimmed">
      <span>{t("version", { ns: "ui", version })}</span>
      <span>
        {t("about.published")} <DateTime iso={publishedAt} dayOnly />
      </span>
      <span>{t("files", { ns: "ui", count: objects, shown: count(objects) })}</span>
      <Bytes value={bytes} />
    </Group>
  );
}

/** Downloads of a complete version, and the command for large ones. */
function Download({ dataset, version: { version, objects } }: { dataset: Dataset; version: Version }) {
  const { t } = useTranslation("dataset");
  const unpacking = useQuery(unpackingQuery(dataset.id, version)).data ?? undefined;
  const from = { id: dataset.id, version };
  const which = version === dataset.version ? "" : ` --dataset-version ${version}`;
  const command = `accession dataset get ${dataset.id} data/${which} --output data.zip`;
  return (
    <Section title={t("download.title")}>
      <DownloadButton from={from} wanted={{ format: "ro-crate" }} words={t("download.everything")} isFirst />
      <DownloadButton from={from} wanted={{ format: "bagit" }} words={t("download.bag")} />
      {unpacking !== undefined && unpacking.files > 0 && (
        <div className={common.small}>
          <DifferentNames found={unpacking} objects={objects} isBefore={false} />
        </div>
      )}
      <p className={common.small}>{t("download.bagMeans")}</p>
      <Help question={t("download.bagQuestion")}>
        <p>{t("download.bagCheck")}</p>
        <Copyable text={CHECK_BAG} what={t("command", { ns: "ui" })} />
      </Help>
      <p className={common.small}>{t("download.large")}</p>
      <Copyable text={command} what={t("command", { ns: "ui" })} />
      <CommandHelp />
    </Section>
  );
}
