import { useState } from "react";
import { type Act, isOutdated, type Publication, type PublicationAction, useAct } from "../../api/publications.ts";
import { useFieldError } from "../../ui/problemWords.ts";

/** Actions and their bodies, without the state that the user has seen. */
type Wanted = {
  [Name in PublicationAction]: { action: Name; body: Extract<Act, { action: Name }>["body"] };
}[PublicationAction];

/** What a form does to take an action. */
export interface Acting {
  send: (wanted: Wanted) => void;
  isBusy: boolean;
  error: Error | null;
  fieldError: (pointer: string) => string | undefined;
}

interface Options {
  /**
   * Whether the form shows the current state all the time. Otherwise an action is for the state in which its dialog was opened,
   * so that no change that the user has not noticed is approved.
   */
  isCurrent?: boolean;
  onDone: () => void;
}

/** Takes actions about a publication. After a refusal because of a change, a repetition is for the changed state. */
export function useActing(publication: Publication, { isCurrent = false, onDone }: Options): Acting {
  const { mutate, isPending, error } = useAct(publication.dataset, publication.version);
  const [seen, setSeen] = useState(publication.etag);
  const fieldError = useFieldError(error);
  return {
    send: (wanted) => {
      const etag = isCurrent || isOutdated(error) ? publication.etag : seen;
      setSeen(etag);
      mutate({ ...wanted, etag } as Act, { onSuccess: onDone });
    },
    isBusy: isPending,
    error,
    fieldError,
  };
}
