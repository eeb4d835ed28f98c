import { Button, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/queries.ts";
import { deleteUpload, type Upload, uploadsQuery } from "../../api/uploads.ts";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { useFormats } from "../../ui/text/format.ts";
import classes from "./Upload.module.css";

/** The caller's uploads that were not submitted, to continue or delete them. */
export function OtherUploads({ onContinue }: { onContinue: (id: string) => void }) {
  const { t } = useTranslation("upload");
  const { data: uploads = [] } = useQuery(uploadsQuery);
  const [asked, setAsked] = useState<Upload>();
  const deleting = useMutation({
    mutationFn: deleteUpload,
    onSuccess: async () => {
      await queries.invalidateQueries(uploadsQuery);
      setAsked(undefined);
    },
  });
  if (uploads.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="uploads">
      <Title order={3} size="h5" id="uploads">
        {t("open.title")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("open.detail")}
      </Text>
      <ul className={classes.uploads}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onContinue={onContinue} onDelete={() => setAsked(upload)} />
        ))}
      </ul>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={t("discardAsk")}
        detail={t("discardDetail")}
        confirm={t("discard")}
        isDangerous
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => asked !== undefined && deleting.mutate(asked.id)}
        onClose={() => {
          setAsked(undefined);
          deleting.reset();
        }}
      />
    </Stack>
  );
}

interface RowProps {
  upload: Upload;
  onContinue: (id: string) => void;
  onDelete: () => void;
}

function UploadRow({ upload, onContinue, onDelete }: RowProps) {
  const { t } = useTranslation("upload");
  const { count, bytes, date, dateTime } = useFormats();
  const { id, createdAt, fileCount, parts, expiresAt } = upload;
  const time = dateTime(createdAt);
  const left = upload.bytes - upload.receivedBytes;
  const isComplete = upload.incompleteFiles === 0 && parts.count === 0;
  const facts = [
    t("open.amount", { count: fileCount, shown: count(fileCount), bytes: bytes(upload.bytes) }),
    ...(left > 0 || upload.incompleteFiles > 0 ? [t("open.missing", { bytes: bytes(left) })] : []),
    ...(parts.count > 0 ? [t("open.parts", { count: parts.count, shown: count(parts.count) })] : []),
    ...(isComplete ? [t("open.complete")] : []),
    ...(expiresAt === null ? [] : [t("open.until", { date: date(expiresAt) })]),
  ];
  return (
    <li>
      <div>
        <div>{t("open.name", { time })}</div>
        <Text size="sm" c="dimmed">
          {facts.join(" · ")}
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t("open.continueOf", { time })}
        onClick={() => onContinue(id)}
      >
        {t("open.continue")}
      </Button>
      <Button variant="subtle" size="compact-sm" aria-label={t("open.deleteOf", { time })} onClick={onDelete}>
        {t("open.delete")}
      </Button>
    </li>
  );
}
