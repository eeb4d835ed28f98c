import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Dataset, Version } from "../api/dataset.ts";
import type { Metadata } from "../api/metadata.ts";
import { About } from "./About.tsx";
import { Cite } from "./Cite.tsx";
import classes from "./Dataset.module.css";
import { Download } from "./Download.tsx";
import { Files } from "./Files.tsx";
import { People } from "./People.tsx";
import { Verification } from "./Verification.tsx";
import { VersionLine } from "./VersionLine.tsx";
import { Versions } from "./Versions.tsx";

interface Props {
  dataset: Dataset;
  version: Version;
  metadata: Metadata;
}

/** A version of a dataset that can be had. */
export function Archived({ dataset, version, metadata }: Props) {
  const { t } = useTranslation("dataset");
  const isLatest = version.version === dataset.version;
  return (
    <>
      <div className={classes.lead}>
        <People people={metadata.creators} />
        <VersionLine version={version} />
        {!isLatest && (
          <Text className={classes.older}>
            {t("versions.older")}{" "}
            <Anchor component={Link} href={`/datasets/${dataset.id}`} inherit>
              {t("versions.toLatest")}
            </Anchor>
          </Text>
        )}
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          <Text className={classes.description}>{metadata.descriptions[0]?.description}</Text>
          <Cite id={dataset.id} version={version.version} />
          <Files id={dataset.id} version={version} />
        </div>
        <div className={classes.aside}>
          <Download dataset={dataset} version={version} />
          <About dataset={dataset} version={version} metadata={metadata} />
          <Verification dataset={dataset} version={version} />
          <Versions dataset={dataset} shown={version.version} />
        </div>
      </div>
    </>
  );
}
