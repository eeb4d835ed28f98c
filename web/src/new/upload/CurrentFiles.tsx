import { ProblemError, UnexpectedAnswerError } from "@accession/client";
import { Anchor, Button, Group, Stack } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "wouter";
import { HashingUnsupported } from "../../compare/hashers.ts";
import { ProblemAlert, TroubleAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useForm } from "../form.ts";
import { ChooseFiles } from "./ChooseFiles.tsx";
import { FileList } from "./FileList.tsx";
import { NoteList } from "./NoteList.tsx";
import { Summary } from "./Summary.tsx";
import type { UploadSession } from "./session.ts";
import type { Snapshot } from "./snapshot.ts";
import { useNewUpload } from "./useNewUpload.ts";

/** The upload of the form: its progress, what was chosen, and its files. */
export function CurrentFiles({ session }: { session: UploadSession }) {
  const snapshot = useSyncExternalStore(session.subscribe, () => session.snapshot);
  const { status, error, files } = snapshot;
  if (status === "gone") return <Gone session={session} snapshot={snapshot} />;
  const kind = files === 0 ? "first" : "more";
  return (
    <Stack gap="lg">
      <Summary session={session} snapshot={snapshot} />
      {error !== undefined && <Stopped session={session} error={error} />}
      <NoteList session={session} snapshot={snapshot} />
      <ChooseFiles
        kind={status === "unchosen" ? "again" : kind}
        onChosen={({ files: chosen, unusable }) => void session.add(chosen, unusable)}
      />
      {files > 0 && <FileList session={session} snapshot={snapshot} />}
    </Stack>
  );
}

/** Why all of the upload was stopped, who must act, and a button that tries again. */
function Stopped({ session, error }: { session: UploadSession; error: Error }) {
  const { t } = useTranslation("upload");
  if (error instanceof HashingUnsupported) {
    return <TroubleAlert trouble={{ title: t("unsupported.title"), detail: t("unsupported.detail") }} />;
  }
  if (error instanceof UnexpectedAnswerError) {
    const title = t("refused.title", { status: error.status });
    return (
      <TroubleAlert trouble={{ title, detail: t("refused.detail"), fault: "operator" }}>
        <Group py="0.25rem">
          <Button variant="default" size="compact-sm" onClick={() => session.resume()}>
            {t("list.retry")}
          </Button>
        </Group>
      </TroubleAlert>
    );
  }
  return <ProblemAlert error={error} onRetry={() => session.resume()} />;
}

/** An upload that was deleted, has expired or was submitted. */
function Gone({ session, snapshot }: { session: UploadSession; snapshot: Snapshot }) {
  const { t } = useTranslation("upload");
  const { upload: current, setDataSource } = useForm();
  const { begin, error } = useNewUpload();
  const { hasChosen, upload } = snapshot;
  const submission = upload?.submission ?? null;
  const isSubmitted =
    submission !== null ||
    (snapshot.error instanceof ProblemError && snapshot.error.problem.code === "upload_submitted");
  const again = () => {
    if (hasChosen) begin({ files: session.files.chosen(), unusable: snapshot.notes });
    else {
      current.release();
      setDataSource({ upload: "", uploadFiles: 0 });
    }
  };
  const address = submission === null ? "/" : `/submissions/${submission}`;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t(isSubmitted ? "gone.submitted" : "gone.deleted") }}>
      <p>
        {isSubmitted ? (
          <Trans
            t={t}
            i18nKey="gone.submittedDetail"
            components={{ link: <Anchor component={Link} href={address} underline="always" /> }}
          />
        ) : (
          t("gone.deletedDetail")
        )}
      </p>
      <Group py="0.25rem">
        <Button variant="default" size="compact-sm" onClick={again}>
          {t(hasChosen ? "gone.againChosen" : "gone.again")}
        </Button>
      </Group>
      {error !== null && <ProblemAlert error={error} />}
    </TroubleAlert>
  );
}
