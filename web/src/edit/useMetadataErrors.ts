import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Remark, remarksOf, remarksQuery } from "../api/intake.ts";
import type { MetadataMembers } from "../api/revisions.ts";
import type { MetadataEntries } from "../metadata-form/entries/entries.ts";
import { pointerInDraft } from "../metadata-form/entries/metadata-of.ts";
import { isWithin } from "../metadata-form/entries/pointers.ts";
import { findMetadataErrors, mergeFormErrors, stillWrong } from "../metadata-form/errors/form-errors.ts";
import { useFormErrorText } from "../metadata-form/errors/useFormErrorText.ts";

const TYPING_MS = 400;

/** A change that the service has rejected. */
export interface Rejected {
  error: Error;
  metadata: MetadataMembers;
}

/** The errors of edited metadata: from the page's own rules, the rules of the service, and a rejected change. */
export function useMetadataErrors(
  dataset: string,
  entries: MetadataEntries,
  metadata: MetadataMembers,
  rejected: Rejected | undefined,
) {
  const wordsOf = useFormErrorText();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isRevealed, setRevealed] = useState(false);
  const [settled] = useDebouncedValue(metadata, TYPING_MS);
  const { data } = useQuery({ ...remarksQuery(settled as never, dataset), placeholderData: keepPreviousData });
  const now = { metadata };
  const inDraft = (remark: Remark): Remark => ({ ...remark, pointer: pointerInDraft(remark.pointer, entries) });
  const said = data === undefined ? [] : stillWrong(data.errors, data.of, now);
  const refused =
    rejected === undefined ? [] : stillWrong(remarksOf(rejected.error), { metadata: rejected.metadata }, now);
  const formErrors = mergeFormErrors(findMetadataErrors(entries), [], [...said, ...refused].map(inDraft));
  return {
    formErrors,
    isRevealed,
    reveal: () => setRevealed(true),
    touch: (pointer: string) => setTouched((known) => (known.has(pointer) ? known : new Set([...known, pointer]))),
    errorShownAt(pointer: string): string | undefined {
      const formError = formErrors.find((one) => one.pointer === pointer);
      const isShown = isRevealed || touched.has(pointer) || refused.some((one) => isWithin(one.pointer, pointer));
      return formError === undefined || !isShown ? undefined : wordsOf(formError);
    },
  };
}
