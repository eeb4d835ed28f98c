import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useLocation } from "wouter";
import { remarksOf, submitBucket, type UploadRequest } from "../api/intake.ts";
import { queries } from "../api/queries.ts";
import { submissionQuery } from "../api/submissions.ts";
import type { Draft, Keys } from "./draft.ts";
import { uploadOf } from "./request.ts";
import type { Refusal } from "./useFormErrors.ts";

/** Submits once, however often the button is pressed, and opens the page of the submission. */
export function useSending(dataset: string | undefined, draft: Draft, keys: Keys, forget: () => void) {
  const [, navigate] = useLocation();
  // A second click can arrive before the button is drawn as busy.
  const hasStarted = useRef(false);
  const sending = useMutation({
    mutationFn: ({ body, key }: { body: UploadRequest; key: string }) => submitBucket(body, key),
    gcTime: 0,
    onError: () => {
      hasStarted.current = false;
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
      sending.mutate({ body: uploadOf(draft, keys, dataset), key: draft.idempotencyKey });
    },
    isSending: sending.isPending || sending.isSuccess,
    error,
    failure,
  };
}
