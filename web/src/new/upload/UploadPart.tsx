import "./words.ts";
import { Skeleton, Stack } from "@mantine/core";
import { useEffect } from "react";
import { fieldId } from "../../metadata-form/entries/pointers.ts";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useForm } from "../form.ts";
import { ChooseFiles } from "./ChooseFiles.tsx";
import { CurrentFiles } from "./CurrentFiles.tsx";
import { takeChoice } from "./held.ts";
import { OtherUploads } from "./OtherUploads.tsx";
import { useKeptFocus } from "./useKeptFocus.ts";
import { useNewUpload } from "./useNewUpload.ts";

/** The data source “Upload from this computer”. */
export default function UploadPart() {
  const { draft, upload } = useForm();
  const region = useKeptFocus<HTMLDivElement>();
  const { session } = upload;
  return (
    <div ref={region} id={fieldId("/upload")} tabIndex={-1}>
      {draft.dataSource.upload === "" && <NoUpload />}
      {draft.dataSource.upload !== "" && session === undefined && <Skeleton height={160} radius="md" />}
      {session !== undefined && <CurrentFiles key={session.id} session={session} />}
    </div>
  );
}

/** The choice of files, with which an upload begins, and the uploads that can be continued. */
function NoUpload() {
  const { upload, setDataSource } = useForm();
  const { begin, error, retry } = useNewUpload();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the user has signed in again.
  useEffect(() => {
    const choice = takeChoice(upload.place);
    if (choice !== undefined) begin(choice);
  }, []);
  return (
    <Stack gap="xl">
      <ChooseFiles kind="first" onChosen={begin} />
      {error !== null && <ProblemAlert error={error} onRetry={retry} />}
      <OtherUploads onContinue={(id) => setDataSource({ upload: id, uploadFiles: 0 })} />
    </Stack>
  );
}
