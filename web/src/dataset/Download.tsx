import { Code } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Dataset, Version } from "../api/datasets.ts";
import { CommandHelp } from "../ui/CommandHelp.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import classes from "./Dataset.module.css";
import { DownloadButton } from "./DownloadButton.tsx";
import { Section } from "./Section.tsx";

/** All of a version at once, and how a large one is fetched. */
export function Download({ dataset, version: { version } }: { dataset: Dataset; version: Version }) {
  const { t } = useTranslation("dataset");
  const from = { id: dataset.id, version };
  const which = version === dataset.version ? "" : ` --dataset-version ${version}`;
  const command = `accession dataset get ${dataset.id} data/${which} --output data.zip`;
  return (
    <Section title={t("download.title")}>
      <DownloadButton from={from} wanted={{ format: "ro-crate" }} words={t("download.everything")} isFirst />
      <DownloadButton from={from} wanted={{ format: "bagit" }} words={t("download.bag")} />
      <p className={classes.small}>{t("download.bagMeans")}</p>
      <p className={classes.small}>{t("download.large")}</p>
      <div className={classes.command}>
        <Code>{command}</Code>
        <CopyButton text={command} what={t("download.command")} />
      </div>
      <CommandHelp />
    </Section>
  );
}
