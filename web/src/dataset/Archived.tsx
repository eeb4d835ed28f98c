import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Dataset, Version } from "../api/datasets.ts";
import type { Metadata } from "../api/metadata.ts";
import { useFormats } from "../ui/format.ts";
import { Bytes, DateTime } from "../ui/Numbers.tsx";
import { About, People } from "./About.tsx";
import { Cite } from "./Cite.tsx";
import classes from "./Dataset.module.css";
import { Download } from "./Download.tsx";
import { Files } from "./Files.tsx";
import { Verification } from "./Verification.tsx";
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

/** Which version it is, from when, and how much it holds. */
function VersionLine({ version: { version, publishedAt, objects, bytes } }: { version: Version }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  return (
    <p className={classes.line}>
      <span>{t("version", { version })}</span>
      <DateTime iso={publishedAt} dayOnly />
      <span>{t("files.count", { count: objects, shown: count(objects) })}</span>
      <Bytes value={bytes} />
    </p>
  );
}
