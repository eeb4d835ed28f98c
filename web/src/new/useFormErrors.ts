import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Remark, remarksQuery, type UploadRequest } from "../api/intake.ts";
import { metadataOf, pointerInDraft } from "../metadata-form/entries/metadata-of.ts";
import { isWithin } from "../metadata-form/entries/pointers.ts";
import type { FormError } from "../metadata-form/errors/form-errors.ts";
import { mergeFormErrors, stillWrong } from "../metadata-form/errors/form-errors.ts";
import { useFormErrorText } from "../metadata-form/errors/useFormErrorText.ts";
import type { Draft, Keys, Lists } from "./draft.ts";
import { useForm } from "./form.ts";
import { findFormErrors, type TestFindings } from "./form-errors.ts";
import { type Part, partOf } from "./parts.ts";
import { uploadOf } from "./request.ts";
import type { UploadStatus } from "./upload/status.ts";

/** The errors with which the service rejected a request, and the body of that request. */
export interface Refusal {
  remarks: readonly Remark[];
  of: object;
}

const TYPING_MS = 400;

/**
 * The errors of the form: from the page's own rules, the last connection test, the rules of the service, and rejected
 * requests. Decides which of them are shown.
 */
export function useFormErrors(
  draft: Draft,
  keys: Keys,
  lists: Lists,
  upload: UploadStatus,
  tested: TestFindings,
  ...refusals: (Refusal | undefined)[]
) {
  const wordsOf = useFormErrorText();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isRevealed, setRevealed] = useState(false);
  const [metadata] = useDebouncedValue(metadataOf(draft), TYPING_MS);
  const { data: remarks } = useQuery({ ...remarksQuery(metadata), placeholderData: keepPreviousData });
  const inDraft = <R extends { pointer: string }>(remark: R): R => ({
    ...remark,
    pointer: pointerInDraft(remark.pointer, draft),
  });
  const refused = refusals
    .flatMap((refusal) => (refusal === undefined ? [] : stillRefused(refusal, draft, keys, lists)))
    .map(inDraft);
  // The service validates the metadata shortly after each change; until then its last answer may be outdated.
  const said =
    remarks === undefined ? [] : stillRefused({ remarks: remarks.errors, of: remarks.of }, draft, keys, lists);
  const formErrors = mergeFormErrors(findFormErrors(draft, keys, upload, lists), tested.formErrors, [
    ...said.map(inDraft),
    ...refused,
  ]);
  return {
    formErrors,
    warnings: [...tested.warnings, ...(remarks?.warnings ?? []).map(inDraft)],
    isRevealed,
    reveal: () => setRevealed(true),
    touch: (pointer: string) => setTouched((known) => (known.has(pointer) ? known : new Set([...known, pointer]))),
    errorShownAt(pointer: string): string | undefined {
      const formError =
        formErrors.find((one) => one.pointer === pointer) ?? refused.find((one) => isWithin(one.pointer, pointer));
      if (formError === undefined) return undefined;
      const isSaid = isRevealed || touched.has(pointer) || refused.some((one) => isWithin(one.pointer, pointer));
      if (!isSaid) return undefined;
      return wordsOf(formError);
    },
  };
}

/** The errors of a rejected request whose values have not been changed since. */
function stillRefused({ remarks, of }: Refusal, draft: Draft, keys: Keys, lists: Lists): Remark[] {
  const now = uploadOf(draft, keys, undefined, undefined, lists);
  return stillWrong(remarks, of, now).filter(
    ({ pointer }) => !pointer.startsWith("/digests") || isSamePlace(of as typeof now, now),
  );
}

/** Whether the paths of checksum lists name the same objects, and the same ones are selected: a list can be wrong because of both. */
function isSamePlace(then: Placed, now: Placed): boolean {
  const [before, after] = [then, now].map(({ selection, digests }) => [selection, digests?.[0]?.base]);
  return JSON.stringify(before) === JSON.stringify(after);
}

type Placed = Pick<UploadRequest, "selection" | "digests">;

/** The errors in a section; for the review, those of all sections. */
export function useFormErrorsIn(part: Part): readonly FormError[] {
  const { formErrors } = useForm();
  return part === "review" ? formErrors : formErrors.filter(({ pointer }) => partOf(pointer) === part);
}
