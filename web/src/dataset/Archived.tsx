import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Details } from "../api/dataset-details.ts";
import { type Dataset, unpackingQuery, type Version } from "../api/datasets.ts";
import type { Publication } from "../api/publications.ts";
import { CommentsAt } from "../comments/CommentsAt.tsx";
import { UnplacedComments } from "../comments/UnplacedComments.tsx";
import { CommandHelp, Help } from "../ui/CommandHelp.tsx";
import common from "../ui/Common.module.css";
import { Copyable } from "../ui/CopyButton.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { Section } from "../ui/Section.tsx";
import classes from "./Dataset.module.css";
import { DownloadButton } from "./download/DownloadButton.tsx";
import { Files } from "./files/Files.tsx";
import { Part } from "./Part.tsx";
import { Verification } from "./Verification.tsx";
import { Revisions, Versions } from "./Versions.tsx";

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

/** A version of a dataset that is available: the parts that the service renders, and what can be done with them. */
export function Archived({ dataset, version, details: { page }, publication }: Props) {
  const { t } = useTranslation("dataset");
  const isLatest = version.version === dataset.version;
  const part = (html: string | undefined) => (
    <Part html={html ?? ""} from={{ id: dataset.id, version: version.version }} />
  );
  const isShown = (member: string) =>
    member === "title" || Object.values(page).some((html) => html.includes(`data-member="${member}"`));
  return (
    <>
      <Stack gap="0.625rem" mt="-0.75rem">
        <CommentsAt member="title" />
        {part(page.heading)}
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
          {part(page.description)}
          {part(page.citation)}
          <Files id={dataset.id} version={version} />
          {part(page.further)}
          {publication !== undefined && <PublicationSection publication={publication} isLatest={isLatest} />}
          <CompareCopy id={dataset.id} version={version.version} />
        </Stack>
        <Stack gap="1.25rem" miw={0} className={classes.boxes}>
          <Download dataset={dataset} version={version} />
          {part(page.details)}
          <UnplacedComments isShown={isShown} />
          <Verification dataset={dataset} version={version} />
          <Versions dataset={dataset} shown={version.version} />
          {dataset.view === "full" && <Revisions id={dataset.id} version={version.version} isLatest={isLatest} />}
          {part(page.exports)}
        </Stack>
      </div>
    </>
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
