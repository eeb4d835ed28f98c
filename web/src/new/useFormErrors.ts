import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Remark, remarksQuery } from "../api/intake.ts";
import { isListName, LIST_FIELDS } from "../metadata-form/lists.ts";
import { joinWords, useProblemWords } from "../ui/problemWords.ts";
import type { Draft, Keys } from "./draft.ts";
import { useForm } from "./form.ts";
import type { FormError } from "./form-errors.ts";
import { findFormErrors, mergeFormErrors } from "./form-errors.ts";
import { isWithin, type Part, partOf } from "./parts.ts";
import { metadataOf, pointerInDraft, uploadOf } from "./request.ts";
import type { TestFindings } from "./test-findings.ts";

const AUTHOR = [
  "name",
  "firstName",
  "lastName",
  "role",
  "orcid",
  "affiliation",
  "rorid",
  "affiliations",
  "address",
  "zipCode",
  "city",
  "country",
] as const;

const DESCRIPTION = ["title", "description", "language", "subjects", "license"] as const;

const FURTHER = ["acknowledgements", "resourceTypeGeneral", "resourceType", "versionLabel", "contact"] as const;

const DATA_SOURCE = [
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
export function useFormErrors(draft: Draft, keys: Keys, tested: TestFindings, ...refusals: (Refusal | undefined)[]) {
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
    .flatMap((refusal) => (refusal === undefined ? [] : stillRefused(refusal, draft, keys)))
    .map(inDraft);
  // The service validates the metadata shortly after each change; until then its last answer may be outdated.
  const said = remarks === undefined ? [] : stillRefused({ remarks: remarks.errors, of: remarks.of }, draft, keys);
  const formErrors = mergeFormErrors(findFormErrors(draft, keys), tested.formErrors, [
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
function stillRefused({ remarks, of }: Refusal, draft: Draft, keys: Keys): Remark[] {
  const now = uploadOf(draft, keys, undefined);
  const then = "s3Access" in of || "metadata" in of ? of : { ...now, s3Access: of };
  return stillWrong(remarks, then, now);
}

/** The errors at members that are the same in both requests. */
export function stillWrong(remarks: readonly Remark[], then: object, now: object): Remark[] {
  return remarks.filter(({ pointer }) => JSON.stringify(at(then, pointer)) === JSON.stringify(at(now, pointer)));
}

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

/** The errors in a section; for the review, those of all sections. */
export function useFormErrorsIn(part: Part): readonly FormError[] {
  const { formErrors } = useForm();
  return part === "review" ? formErrors : formErrors.filter(({ pointer }) => partOf(pointer) === part);
}

/** Gives the text of a form error: the page’s own, or the service’s where the page has none. */
export function useFormErrorText(): (formError: Pick<FormError, "word" | "code" | "detail" | "isTested">) => string {
  const { t } = useTranslation("new");
  const problem = useProblemWords();
  return ({ word, code, detail = "", isTested = false }) => {
    if (word !== undefined) return t(`errors.${word}`);
    const known = problem(code);
    const cause = known === undefined ? withFullStop(detail) : joinWords(known);
    return isTested ? t("errors.tested", { cause }) : cause;
  };
}

/** Gives the label of the field that corresponds to a member of the request. */
export function useFieldNames(): (pointer: string) => string {
  const { t } = useTranslation(["new", "metadata"]);
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = t("list.entry", { number: Number(index) + 1 });
      const field = AUTHOR.find((one) => one === name);
      return field === undefined ? author : `${author}, ${t(`authors.${field}`)}`;
    }
    const [, , last = "", entry, ...inner] = pointer.split("/");
    if (isListName(last) && pointer.startsWith("/metadata")) {
      const list = t(`metadata:lists.${last}`);
      const field = LIST_FIELDS[last].find((one) => one === inner.at(-1));
      if (entry === undefined) return list;
      return [`${list} ${Number(entry) + 1}`, ...(field === undefined ? [] : [t(`metadata:fields.${field}`)])].join(
        ", ",
      );
    }
    if (last === "embargoDate") return t("description.embargo");
    if (pointer === "/metadata/contact/email") return t("more.contactEmail");
    const further = FURTHER.find((one) => one === last);
    if (further !== undefined) return t(`metadata:${further}`);
    const field = DESCRIPTION.find((one) => one === last);
    if (pointer.startsWith("/metadata")) return field === undefined ? t("parts.authors") : t(`description.${field}`);
    if (last === "pathStyle") return t("dataSource.style");
    const access = DATA_SOURCE.find((one) => one === last);
    return access === undefined ? t("parts.data-source") : t(`dataSource.${access}`);
  };
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
