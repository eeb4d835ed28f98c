import { Text } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type ActionRequest,
  isOutdated,
  type Publication,
  type PublicationAction,
  useAction,
} from "../../api/publications.ts";
import { DialogForm } from "../../ui/Dialog.tsx";
import { ProblemAlert, TroubleAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useFieldError } from "../../ui/problem/problemWords.ts";
import { shortName } from "../Account.tsx";
import { useEntryWords } from "../useEntryWords.ts";
import "../words.ts";

interface Options {
  /**
   * Whether the form shows the current state all the time. Otherwise an action is for the state in which its dialog was opened,
   * so that no change that the user has not noticed is approved.
   */
  isCurrent?: boolean;
  onDone: () => void;
}

/** Takes actions about a publication. After a refusal because of a change, a repetition is for the changed state. */
export function useActionForm(publication: Publication, { isCurrent = false, onDone }: Options) {
  const { mutate, isPending, error } = useAction(publication.dataset, publication.version);
  const [seen, setSeen] = useState(publication.etag);
  const fieldError = useFieldError(error);
  return {
    send: (request: ActionRequest) => {
      const etag = isCurrent || isOutdated(error) ? publication.etag : seen;
      setSeen(etag);
      mutate({ ...request, etag }, { onSuccess: onDone });
    },
    isBusy: isPending,
    error,
    fieldError,
  };
}

/** What the form of an action gets. */
export interface ActionFormProps {
  publication: Publication;
  /** The label of the button that takes the action. */
  submit: string;
  onClose: () => void;
  onDone: () => void;
}

type Props = Omit<ComponentProps<typeof DialogForm>, "isBusy" | "error"> & {
  publication: Publication;
  action: PublicationAction;
  acting: ReturnType<typeof useActionForm>;
};

/** The form in the dialog of an action. States if the action is not possible any more, because another user has acted. */
export function ActionForm({ publication, action, acting, isPossible = true, children, ...form }: Props) {
  const { t } = useTranslation("publication");
  const isOffered = publication.actions.includes(action);
  return (
    <DialogForm {...form} isBusy={acting.isBusy} isPossible={isPossible && isOffered}>
      {children}
      <ActionError error={acting.error} publication={publication} />
      <div role="status">{!isOffered && <Text c="error">{t("outdated.impossible")}</Text>}</div>
    </DialogForm>
  );
}

/** Why an action was not carried out. After a change by another user: what the change was, and what to do. */
export function ActionError({ error, publication }: { error: Error | null; publication: Publication }) {
  const { t } = useTranslation("publication");
  const wordsOf = useEntryWords();
  if (error === null) return null;
  if (!isOutdated(error)) return <ProblemAlert error={error} />;
  const last = publication.history.at(-1);
  const name = last?.actor == null ? t("history.service") : shortName(last.actor);
  return (
    <TroubleAlert
      tone="warn"
      trouble={{
        title: t("outdated.title"),
        detail: t("outdated.detail", { state: t(`states.${publication.state}`) }),
      }}
    >
      {last !== undefined && <p>{t("outdated.last", { name, what: wordsOf(last) })}</p>}
      <p>{t("outdated.next")}</p>
    </TroubleAlert>
  );
}
