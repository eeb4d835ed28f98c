import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { PageHeading } from "../ui/PageHeading.tsx";
import { DraftNotice } from "./DraftNotice.tsx";
import { FormProvider } from "./FormProvider.tsx";
import classes from "./New.module.css";
import { OpenPart } from "./OpenPart.tsx";
import { PartList } from "./PartList.tsx";
import { VersionNotice } from "./VersionNotice.tsx";

/** Where a bucket is submitted: four parts, in any order. With `?dataset=` it becomes a new version of that one. */
export default function NewSubmissionRoom() {
  const { t } = useTranslation("new");
  const [params] = useSearchParams();
  const dataset = params.get("dataset") ?? undefined;
  return (
    <FormProvider key={dataset} dataset={dataset}>
      <Stack gap="lg">
        <PageHeading title={dataset === undefined ? t("title") : t("version.heading")}>
          <DraftNotice />
        </PageHeading>
        {dataset !== undefined && <VersionNotice dataset={dataset} />}
        <div className={classes.room}>
          <PartList />
          <OpenPart />
        </div>
      </Stack>
    </FormProvider>
  );
}
