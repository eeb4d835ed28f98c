import { Button, Group, Progress, Text, Title, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/queries.ts";
import { deleteUpload, uploadsQuery } from "../../api/uploads.ts";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { useFormats } from "../../ui/text/format.ts";
import { useForm } from "../form.ts";
import type { UploadSession } from "./session.ts";
import { percentArrived, type Snapshot } from "./snapshot.ts";
import classes from "./Upload.module.css";

interface Props {
  session: UploadSession;
  snapshot: Snapshot;
}

/** How much has arrived, and buttons that pause, continue and discard the upload. */
export function Summary({ session, snapshot }: Props) {
  const { t } = useTranslation("upload");
  const { date } = useFormats();
  const comparedWords = useComparedWords();
  const { status, counts, upload, files } = snapshot;
  if (status === "gone" || status === "none") return null;
  const details = [
    ...(status === "sending" || status === "paused" || status === "unchosen" ? [t(`detail.${status}`)] : []),
    ...(status === "ready" ? [comparedWords(snapshot), t("detail.next")] : []),
    ...(status === "ready" && upload?.expiresAt != null ? [t("detail.until", { date: date(upload.expiresAt) })] : []),
  ];
  return (
    <section className={classes.summary} aria-labelledby="upload-status" data-status={status}>
      <Title order={3} size="h5" id="upload-status">
        {t(`status.${status}`)}
      </Title>
      <VisuallyHidden role="status">{t(`status.${status}`)}</VisuallyHidden>
      {files > 0 && (
        <>
          <Progress value={percentArrived(snapshot)} aria-label={t("progress")} size="lg" />
          <Numbers snapshot={snapshot} />
        </>
      )}
      {details.length > 0 && (
        <Text size="sm" c="dimmed">
          {details.join(" ")}
        </Text>
      )}
      <Group gap="0.5rem" className={classes.actions}>
        {(status === "sending" || status === "paused") && (
          <Button
            variant={status === "sending" ? "default" : "filled"}
            onClick={() => (status === "sending" ? session.pause() : session.resume())}
          >
            {t(status === "sending" ? "pause" : "continue")}
          </Button>
        )}
        {status === "unchosen" && counts.partial === 0 && (
          <Button variant="default" onClick={() => session.accept()}>
            {t("accept")}
          </Button>
        )}
        <Discard session={session} />
      </Group>
    </section>
  );
}

/** Says with which checksums the service has compared the files. */
function useComparedWords() {
  const { t } = useTranslation("upload");
  const { count } = useFormats();
  return ({ counts, unstated }: Snapshot) => {
    if (unstated > 0) return t("detail.readyUnstated", { count: unstated, shown: count(unstated) });
    return t(counts.extra > 0 ? "detail.readyStated" : "detail.ready");
  };
}

function Numbers({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation("upload");
  const format = useFormats();
  const { counts, files, bytes, arrived, rate, secondsLeft } = snapshot;
  const parts = [
    t("numbers.files", { done: format.count(counts.done + counts.extra), all: format.count(files) }),
    t("numbers.bytes", { done: format.bytes(arrived), all: format.bytes(bytes) }),
  ];
  if (counts.reading > 0 && counts.sending === 0) parts.push(t("numbers.reading"));
  if (rate !== undefined) parts.push(t("numbers.rate", { rate: format.bytes(rate) }));
  if (secondsLeft !== undefined) {
    parts.push(t("numbers.left", { time: format.duration(Math.ceil(secondsLeft)) }));
  }
  return <p className={classes.numbers}>{parts.join(" · ")}</p>;
}

/** Deletes the upload from the service, after a question. */
function Discard({ session }: { session: UploadSession }) {
  const { t } = useTranslation("upload");
  const { upload, setDataSource } = useForm();
  const [isAsking, setAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: async () => {
      session.pause();
      await deleteUpload(session.id);
    },
    onSuccess: () => {
      upload.release();
      setDataSource({ upload: "", uploadFiles: 0 });
      void queries.invalidateQueries(uploadsQuery);
    },
  });
  return (
    <>
      <Button variant="subtle" onClick={() => setAsking(true)}>
        {t("discard")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("discardAsk")}
        detail={t("discardDetail")}
        confirm={t("discard")}
        isDangerous
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
        onClose={() => {
          setAsking(false);
          deleting.reset();
        }}
      />
    </>
  );
}
