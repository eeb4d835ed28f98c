import { Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAddress } from "../api/address.ts";
import { placeOfDraft } from "../api/drafts.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { DraftNotice, VersionNotice } from "./DraftNotice.tsx";
import { FormContext } from "./form.ts";
import classes from "./New.module.css";
import { OpenPart } from "./OpenPart.tsx";
import { PartList } from "./PartList.tsx";
import { usePlaces } from "./parts.ts";
import { testFindings } from "./test-findings.ts";
import { useConnection } from "./useConnection.ts";
import { useDraft, useOwner } from "./useDraft.ts";
import { useFormErrors } from "./useFormErrors.ts";
import { useSending } from "./useSending.ts";

interface Props {
  dataset: string | undefined;
  /** Where in the browser the draft lies. */
  place: string;
  /** The field to begin at, by its member of the request. */
  beginAt: string | undefined;
  /** Begins with an empty form. */
  onClear: () => void;
  children: ReactNode;
}

/** Where a bucket is submitted: four parts, in any order. With `?dataset=` it becomes a new version of that one. */
export default function NewSubmissionPage() {
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
        <div className={classes.page}>
          <PartList />
          <OpenPart />
        </div>
      </Stack>
    </FormProvider>
  );
}

/** Holds what is written, and what is known of it, while one goes from part to part. */
function FormProvider({ dataset, place, beginAt, onClear, children }: Props) {
  const { forget, ...written } = useDraft(place);
  const { draft, keys } = written;
  const { failure: untested, ...connection } = useConnection(dataset, draft.dataSource, keys);
  const { failure, ...sending } = useSending(dataset, draft, keys, forget);
  const found = useFormErrors(draft, keys, testFindings(draft.dataSource, connection), untested, failure);
  const places = usePlaces(draft.authors, beginAt);
  const send = () => (found.formErrors.length > 0 ? found.reveal() : sending.send());
  const clear = () => {
    forget();
    onClear();
  };
  const wrong = untested?.remarks[0]?.pointer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rejected test leads to its first error once.
  useEffect(() => {
    // Whoever has gone on to another part meanwhile is left there.
    if (wrong !== undefined && places.part === "data-source") places.goToField(wrong);
  }, [connection.error]);
  const form = { dataset, ...written, clear, ...found, ...places, connection, sending: { ...sending, send } };
  return <FormContext value={form}>{children}</FormContext>;
}
