import { ProblemError } from "@accession/client";
import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useAddress } from "../api/browser/address.ts";
import { placeOfDraft } from "../api/browser/storage.ts";
import {
  type CheckRequest,
  checkBucket,
  previewBucket,
  remarksOf,
  type Step,
  submitBucket,
  type UploadRequest,
} from "../api/intake.ts";
import { queries } from "../api/queries.ts";
import { useOwner, useService } from "../api/service.ts";
import { submissionQuery } from "../api/submissions.ts";
import { MetadataFormContext } from "../metadata-form/context.ts";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { DraftNotice, VersionNotice } from "./DraftNotice.tsx";
import type { DataSource, Draft, Keys, Lists } from "./draft.ts";
import { type Connection, FormContext } from "./form.ts";
import { testFindings } from "./form-errors.ts";
import classes from "./New.module.css";
import { OpenPart } from "./OpenPart.tsx";
import { PartList } from "./PartList.tsx";
import { usePlaces } from "./parts.ts";
import { checkOf, digestsOf, previewOf, uploadOf } from "./request.ts";
import { useCurrentUpload } from "./upload/current.ts";
import { releaseUpload } from "./upload/held.ts";
import type { UploadSession } from "./upload/session.ts";
import { useDraft } from "./useDraft.ts";
import { type Refusal, useFormErrors } from "./useFormErrors.ts";

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
  const { forget: forgetDraft, ...stored } = useDraft(place);
  const forget = () => {
    forgetDraft();
    releaseUpload(place);
  };
  const offersUploads = useService()?.acceptsUploads === true;
  const written = offersUploads ? stored : { ...stored, draft: withBucket(stored.draft) };
  const { draft, keys, lists } = written;
  const upload = useCurrentUpload(place, draft.dataSource, written.setDataSource);
  const { failure: untested, ...connection } = useConnection(dataset, draft.dataSource, keys, lists);
  const { failure, ...sending } = useSending(dataset, draft, keys, lists, upload.session, forget);
  const found = useFormErrors(
    draft,
    keys,
    lists,
    upload.status,
    testFindings(draft.dataSource, connection),
    draft.dataSource.kind === "upload" ? undefined : untested,
    failure,
  );
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
    offersUploads,
    upload,
    connection,
    sending: { ...sending, send },
  };
  return (
    <MetadataFormContext value={form}>
      <FormContext value={form}>{children}</FormContext>
    </MetadataFormContext>
  );
}

/** A draft for a service that accepts no uploads. */
function withBucket(draft: Draft): Draft {
  return { ...draft, dataSource: { ...draft.dataSource, kind: "bucket" } };
}

/** Submits once, however often the button is pressed, and opens the page of the submission. */
function useSending(
  dataset: string | undefined,
  draft: Draft,
  keys: Keys,
  lists: Lists,
  session: UploadSession | undefined,
  forget: () => void,
) {
  const [, navigate] = useLocation();
  // A second click can arrive before the button is drawn as busy.
  const hasStarted = useRef(false);
  const sending = useMutation({
    mutationFn: ({ body, key }: { body: UploadRequest; key: string }) => submitBucket(body, key),
    gcTime: 0,
    onError: (error) => {
      hasStarted.current = false;
      if (error instanceof ProblemError && error.problem.code === "upload_changed") void session?.recheck();
    },
    onSuccess: (submission) => {
      forget();
      queries.setQueryData(submissionQuery(submission.id).queryKey, submission);
      void queries.invalidateQueries({ queryKey: ["submissions"] });
      navigate(`/submissions/${submission.id}`);
    },
  });
  const { error, variables } = sending;
  const failure: Refusal | undefined =
    error === null || variables === undefined ? undefined : { remarks: remarksOf(error), of: variables.body };
  return {
    send() {
      if (hasStarted.current) return;
      hasStarted.current = true;
      const revision = session?.snapshot.upload?.revision;
      sending.mutate({ body: uploadOf(draft, keys, dataset, revision, lists), key: draft.idempotencyKey });
    },
    isSending: sending.isPending || sending.isSuccess,
    error,
    failure,
  };
}

/** Tests the connection and, if it works, fetches the preview. Does not keep the credentials. */
function useConnection(
  dataset: string | undefined,
  dataSource: DataSource,
  keys: Keys,
  lists: Lists,
): Connection & { failure: Refusal | undefined } {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const [passed, setPassed] = useState<ReadonlyMap<Step["name"], Step>>(new Map());
  const counting = useMutation({
    mutationFn: (body: CheckRequest) => previewBucket(previewOf(body, dataset, digestsOf(dataSource, lists))),
    gcTime: 0,
  });
  const testing = useMutation({
    mutationFn: (body: CheckRequest) => {
      running.current = new AbortController();
      const onStep = (step: Step) => setPassed((before) => new Map(before).set(step.name, step));
      return checkBucket(body, { onStep, signal: running.current.signal });
    },
    gcTime: 0,
    onMutate: () => {
      counting.reset();
      setPassed(new Map());
    },
    onSuccess: ({ ok }, body) => {
      if (ok) counting.mutate(body);
    },
  });
  const body = checkOf(dataSource, keys);
  const { base } = dataSource;
  const given = () => ({ lists, base, digests: digestsOf(dataSource, lists) });
  const [testedLists, setTestedLists] = useState(given);
  const tested: CheckRequest | undefined = testing.variables;
  const error = testing.error ?? counting.error;
  const isOther = testedLists.lists !== lists || testedLists.base !== base;
  const of = tested && { s3Access: tested, selection: tested.selection, ...testedLists.digests };
  return {
    test: () => {
      setTestedLists(given());
      testing.mutate(body);
    },
    cancel: () => {
      running.current?.abort();
      testing.reset();
    },
    isTesting: testing.isPending,
    passed,
    report: testing.data,
    isCounting: counting.isPending,
    preview: counting.data,
    error,
    isStale: tested !== undefined && (isOther || JSON.stringify(tested) !== JSON.stringify(body)),
    failure: error === null || of === undefined ? undefined : { remarks: remarksOf(error, "/s3Access"), of },
  };
}
