import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Remark, remarksQuery } from "../api/intake.ts";
import { joinWords, useProblemWords } from "../ui/problemWords.ts";
import type { Draft, Keys } from "./draft.ts";
import type { Fault } from "./faults.ts";
import { mergeFaults, ownFaults } from "./faults.ts";
import { useForm } from "./form.ts";
import { isWithin, type Part, partOf } from "./parts.ts";
import { metadataOf, uploadOf } from "./request.ts";
import type { TestFindings } from "./test-findings.ts";

const AUTHOR = [
  "firstName",
  "lastName",
  "role",
  "orcid",
  "affiliation",
  "rorid",
  "address",
  "zipCode",
  "city",
  "country",
] as const;

const WHAT = ["title", "description", "language", "subjects", "license"] as const;

const WHERE = [
  "endpoint",
  "bucket",
  "region",
  "accessKey",
  "secretKey",
  "sessionToken",
  "prefix",
  "include",
  "exclude",
] as const;

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

/** What is to be done yet in a part; for the last one, in all of them. */
export function useFaultsIn(part: Part): readonly Fault[] {
  const { faults } = useForm();
  return part === "review" ? faults : faults.filter(({ pointer }) => partOf(pointer) === part);
}

/** Gives what is said of a fault: the page’s own words, and the service’s where the page has none. */
export function useFaultWords(): (fault: Pick<Fault, "word" | "code" | "detail" | "isTested">) => string {
  const { t } = useTranslation("new");
  const problem = useProblemWords();
  return ({ word, code, detail = "", isTested = false }) => {
    if (word !== undefined) return t(`faults.${word}`);
    const known = problem(code);
    const cause = known === undefined ? detail : joinWords(known);
    return isTested ? t("faults.tested", { cause }) : cause;
  };
}

/** How the field of a member is called. */
export function useFieldNames(): (pointer: string) => string {
  const { t } = useTranslation("new");
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = t("review.author", { number: Number(index) + 1 });
      const field = AUTHOR.find((one) => one === name);
      return field === undefined ? author : `${author}, ${t(`who.${field}`)}`;
    }
    const last = pointer.split("/")[2] ?? "";
    if (last === "embargoDate") return t("what.embargo");
    const what = WHAT.find((one) => one === last);
    if (pointer.startsWith("/metadata")) return what === undefined ? t("parts.who") : t(`what.${what}`);
    if (last === "pathStyle") return t("where.style");
    const where = WHERE.find((one) => one === last);
    return where === undefined ? t("parts.where") : t(`where.${where}`);
  };
}
