import { Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAddress } from "../api/address.ts";
import { placeOfDraft } from "../api/drafts.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { DraftNotice } from "./DraftNotice.tsx";
import { FormProvider } from "./FormProvider.tsx";
import classes from "./New.module.css";
import { OpenPart } from "./OpenPart.tsx";
import { PartList } from "./PartList.tsx";
import { useOwner } from "./useOwner.ts";
import { VersionNotice } from "./VersionNotice.tsx";

/** Where a bucket is submitted: four parts, in any order. With `?dataset=` it becomes a new version of that one. */
export default function NewSubmissionRoom() {
  const { t } = useTranslation("new");
  const [params] = useAddress();
  const owner = useOwner();
  const [emptied, setEmptied] = useState(0);
  const dataset = params.get("dataset") ?? undefined;
  // Whose draft is to be shown is known in a moment.
  if (owner === undefined) return null;
  const place = placeOfDraft(owner, dataset);
  return (
    <FormProvider
      key={`${place} ${emptied}`}
      dataset={dataset}
      place={place}
      // The button that emptied the form is gone: what is filled in first is where one goes on.
      beginAt={emptied > 0 ? "/s3Access/endpoint" : undefined}
      onClear={() => setEmptied((times) => times + 1)}
    >
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
