import { Button, Checkbox, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { remarksOf } from "../../api/intake.ts";
import { FormErrorList } from "../../metadata-form/errors/FormErrorList.tsx";
import { useField } from "../../metadata-form/useField.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { RadioChoice } from "../../ui/RadioChoice.tsx";
import { useForm } from "../form.ts";
import { useFormErrorsIn } from "../useFormErrors.ts";
import { Address, KeyFields } from "./Address.tsx";
import { PreviewOf } from "./PreviewOf.tsx";
import { SelectionFields } from "./SelectionFields.tsx";
import { Steps } from "./Steps.tsx";

/** Loaded when a bucket has metadata files. */
const BucketOffer = lazyLoaded(() => import("./BucketOffer.tsx"));

/** Loaded after the section. */
const ChecksumLists = lazyLoaded(() => import("../digests/Digests.tsx"));

/** Loaded when files are uploaded. */
const UploadPart = lazyLoaded(() => import("../upload/UploadPart.tsx"));

/** The section for the data source. */
export function DataSourcePart() {
  const { offersUploads, draft } = useForm();
  return (
    <>
      {offersUploads && <SourceChoice />}
      {draft.dataSource.kind === "upload" ? <UploadSource /> : <BucketSource />}
    </>
  );
}

function UploadSource() {
  return (
    <>
      <UploadPart />
      <ChecksumLists />
    </>
  );
}

function SourceChoice() {
  const { t } = useTranslation("new");
  const { draft, setDataSource, upload } = useForm();
  return (
    <RadioChoice
      label={t("source.label")}
      choices={(["upload", "bucket"] as const).map((value) => ({
        value,
        label: t(`source.${value}`),
        description: t(`source.${value}Detail`),
      }))}
      value={draft.dataSource.kind}
      onChange={(kind) => {
        if (kind === "bucket") upload.session?.pause();
        setDataSource({ kind });
      }}
    />
  );
}

/** The bucket, its credentials, the selection of objects, and the connection test. */
function BucketSource() {
  const { t } = useTranslation(["new", "ui"]);
  const { draft, setDataSource, connection, touch } = useForm();
  const field = useField();
  const own = useFormErrorsIn("data-source").filter(({ kind, word }) => kind === "missing" || word !== undefined);
  // Errors of the last test must not prevent the next one.
  const formErrors = own.filter(({ isTested = false }) => !isTested);
  const test = (event: FormEvent) => {
    event.preventDefault();
    for (const { pointer } of formErrors) touch(pointer);
    const first = formErrors[0];
    if (first === undefined) connection.test();
    else document.getElementById(field(first.pointer).id)?.focus();
  };
  return (
    <>
      <form onSubmit={test} noValidate>
        <Stack gap="lg">
          <Address />
          <Checkbox
            label={t("dataSource.anonymous")}
            description={t("dataSource.anonymousDetail")}
            checked={draft.dataSource.anonymous}
            onChange={({ currentTarget }) => setDataSource({ anonymous: currentTarget.checked })}
          />
          {!draft.dataSource.anonymous && <KeyFields />}
          <SelectionFields />
          <ChecksumLists />
          <Group>
            <BusyButton type="submit" variant="outline" isBusy={connection.isTesting}>
              {t("dataSource.test")}
            </BusyButton>
            {connection.isTesting && (
              <Button variant="subtle" onClick={connection.cancel}>
                {t("ui:cancel")}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <Findings />
    </>
  );
}

/** The results of the connection test, then the preview of the bucket. */
function Findings() {
  const { t } = useTranslation("new");
  const { isTesting, passed, report, isCounting, preview, error, isStale } = useForm().connection;
  const formErrors = useFormErrorsIn("data-source");
  if (!isTesting && report === undefined && error === null) return null;
  return (
    <Stack gap="xl" aria-busy={isTesting || isCounting}>
      {isStale && (
        <Text c="dimmed" role="status">
          {t("dataSource.stale")}
        </Text>
      )}
      {error !== null && remarksOf(error).length === 0 && <ProblemAlert error={error} />}
      {error !== null && remarksOf(error).length > 0 && formErrors.length > 0 && (
        <FormErrorList formErrors={formErrors} isUrgent />
      )}
      {(isTesting || report !== undefined) && <Steps report={isTesting ? undefined : report} passed={passed} />}
      {isCounting && <Skeleton height={280} radius="md" aria-label={t("preview.counting")} role="status" />}
      {preview !== undefined && preview.metadataFiles.length > 0 && <BucketOffer files={preview.metadataFiles} />}
      {preview !== undefined && <PreviewOf preview={preview} />}
    </Stack>
  );
}
