import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Remark, remarksQuery } from "../api/intake.ts";
import type { Draft, Keys } from "./draft.ts";
import { mergeFaults, ownFaults } from "./faults.ts";
import { isWithin } from "./parts.ts";
import { metadataOf, uploadOf } from "./request.ts";
import type { TestFindings } from "./tested.ts";
import { useFaultWords } from "./useFaultWords.ts";

/** What the service refused, and of which request. */
export interface Refusal {
  faults: readonly Remark[];
  of: object;
}

const TYPING_MS = 400;

/**
 * What has to be done yet, and which of it is said: the page's own rules, what a test
 * found, the rules of the service, and its refusals.
 */
export function useFaults(draft: Draft, keys: Keys, tested: TestFindings, ...refusals: (Refusal | undefined)[]) {
  const wordsOf = useFaultWords();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isRevealed, setRevealed] = useState(false);
  const [metadata] = useDebouncedValue(metadataOf(draft), TYPING_MS);
  const { data: remarks } = useQuery({ ...remarksQuery(metadata), placeholderData: keepPreviousData });
  const refused = refusals.flatMap((refusal) => (refusal === undefined ? [] : stillRefused(refusal, draft, keys)));
  // The service is asked a moment after something was changed; until then what it said may be over.
  const said = remarks === undefined ? [] : stillRefused({ faults: remarks.errors, of: remarks.of }, draft, keys);
  const faults = mergeFaults(ownFaults(draft, keys), tested.faults, [...said, ...refused]);
  return {
    faults,
    warnings: [...tested.warnings, ...(remarks?.warnings ?? [])],
    isRevealed,
    reveal: () => setRevealed(true),
    touch: (pointer: string) => setTouched((known) => (known.has(pointer) ? known : new Set([...known, pointer]))),
    faultShownAt(pointer: string): string | undefined {
      const fault =
        faults.find((one) => one.pointer === pointer) ?? refused.find((one) => isWithin(one.pointer, pointer));
      if (fault === undefined) return undefined;
      const isSaid = isRevealed || touched.has(pointer) || refused.some((one) => isWithin(one.pointer, pointer));
      if (!isSaid) return undefined;
      return wordsOf(fault);
    },
  };
}

/** A fault is over when what it lies on has changed since. */
function stillRefused({ faults, of }: Refusal, draft: Draft, keys: Keys): Remark[] {
  const now = uploadOf(draft, keys, undefined);
  const then = "s3Access" in of || "metadata" in of ? of : { ...now, s3Access: of };
  return faults.filter(({ pointer }) => JSON.stringify(at(then, pointer)) === JSON.stringify(at(now, pointer)));
}

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
