import { Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAddress } from "../api/address.ts";
import { useOwner } from "../api/service.ts";
import { placeOfDraft } from "../api/storage.ts";
import { MetadataFormContext } from "../metadata-form/context.ts";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { DraftNotice, VersionNotice } from "./DraftNotice.tsx";
import { FormContext } from "./form.ts";
import classes from "./New.module.css";
import { OpenPart } from "./OpenPart.tsx";
import { PartList } from "./PartList.tsx";
import { usePlaces } from "./parts.ts";
import { testFindings } from "./test-findings.ts";
import { useConnection } from "./useConnection.ts";
import { useDraft } from "./useDraft.ts";
import { useFormErrors } from "./useFormErrors.ts";
import { useSending } from "./useSending.ts";

/** Loaded after the form. */
const FileDrop = lazyLoaded(() => import("../metadata-form/import/FileDrop.tsx"));

interface Props {
  dataset: string | undefined;
  /** The storage key of the draft. */
  place: string;
  /** The field that receives the focus first, as a pointer into the request. */
  beginAt: string | undefined;
  /** Starts with an empty form. */
  onClear: () => void;
  children: ReactNode;
}

/** The form for a new submission, in four sections. With `?dataset=`, it creates a new version of that dataset. */
export default function NewSubmissionPage() {
  const { t } = useTranslation("new");
  const [params] = useAddress();
  const owner = useOwner();
  const [emptied, setEmptied] = useState(0);
  const dataset = params.get("dataset") ?? undefined;
  // The owner of the draft is not known yet.
  if (owner === undefined) return null;
  const place = placeOfDraft(owner, dataset);
  return (
    <FormProvider
      key={`${place} ${emptied}`}
      dataset={dataset}
      place={place}
      // The button that cleared the form is gone, so the focus moves to the first field.
      beginAt={emptied > 0 ? "/s3Access/endpoint" : undefined}
      onClear={() => setEmptied((times) => times + 1)}
    >
      <Stack gap="lg">
        <PageHeading title={dataset === undefined ? t("title") : t("version.heading")}>
          <DraftNotice />
        </PageHeading>
        {dataset !== undefined && <VersionNotice dataset={dataset} />}
        <FileDrop />
        <div className={classes.page}>
          <PartList />
          <OpenPart />
        </div>
      </Stack>
    </FormProvider>
  );
}

/** Holds the entries of the form and their state while the user moves between sections. */
function FormProvider({ dataset, place, beginAt, onClear, children }: Props) {
  const { forget, ...written } = useDraft(place);
  const { draft, keys } = written;
  const { failure: untested, ...connection } = useConnection(dataset, draft.dataSource, keys);
  const { failure, ...sending } = useSending(dataset, draft, keys, forget);
  const found = useFormErrors(draft, keys, testFindings(draft.dataSource, connection), untested, failure);
  const places = usePlaces(draft, beginAt);
  const send = () => (found.formErrors.length > 0 ? found.reveal() : sending.send());
  const clear = () => {
    forget();
    onClear();
  };
  const wrong = untested?.remarks[0]?.pointer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rejected test leads to its first error once.
  useEffect(() => {
    // A user who has moved to another section stays there.
    if (wrong !== undefined && places.part === "data-source") places.goToField(wrong);
  }, [connection.error]);
  const form = {
    name: dataset ?? "",
    dataset,
    ...written,
    clear,
    ...found,
    ...places,
    connection,
    sending: { ...sending, send },
  };
  return (
    <MetadataFormContext value={form}>
      <FormContext value={form}>{children}</FormContext>
    </MetadataFormContext>
  );
}
