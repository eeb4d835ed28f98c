import { useTranslation } from "react-i18next";
import { type Grant, useRevoke } from "../api/access.ts";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { visible } from "../ui/format.ts";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";

interface Props {
  dataset: string;
  /** Undefined while the dialog is closed. */
  grant: Grant | undefined;
  onClose: () => void;
}

/** Revokes a grant after a confirmation. */
export function RevokeDialog({ dataset, grant, onClose }: Props) {
  const { t } = useTranslation("access");
  const { mutate, isPending, error } = useRevoke(dataset);
  const nameOf = useGrantName();
  return (
    <ConfirmDialog
      isOpen={grant !== undefined}
      title={t("revoke.title")}
      detail={grant === undefined ? "" : t("revoke.detail", { name: nameOf(grant) })}
      confirm={t("revoke.button")}
      isDangerous
      isBusy={isPending}
      onClose={onClose}
      onConfirm={() => grant !== undefined && mutate(grant.id, { onSuccess: onClose })}
    >
      {error !== null && <ProblemAlert error={error} />}
    </ConfirmDialog>
  );
}

/** Gives the name of a grant: the person, or the link with its note. */
export function useGrantName(): (grant: Grant) => string {
  const { t } = useTranslation("access");
  return ({ kind, person, note }) => visible(kind === "link" ? `${t("manage.link")} ${note}`.trim() : (person ?? ""));
}
