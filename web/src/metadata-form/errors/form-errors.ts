import { canonicalRor } from "@accession/rules";
import type { Remark } from "../../api/intake.ts";
import type words from "../../words/en/new.json";
import { affiliationPointer, affiliationsOf, isOrganisation } from "../entries/affiliations.ts";
import type { MetadataEntries, Person } from "../entries/entries.ts";
import { nameOf } from "../entries/metadata-of.ts";
import { judgeOrcid } from "../entries/orcid.ts";
import { isWithin } from "../entries/pointers.ts";

/** Errors that the page itself detects. */
type FormErrorKey = Exclude<keyof (typeof words)["errors"], "didYouMean" | "tested">;

/** An error that prevents a submission. */
export interface FormError {
  /** A pointer into the request. */
  pointer: string;
  kind: "missing" | "wrong";
  /** The text of the page; for errors that the service reported, the code and the service's text instead. */
  word?: FormErrorKey;
  detail?: string;
  code?: string;
  /** A connection test found it; the next test decides again. */
  isTested?: true;
}

/** The missing and wrong entries of the metadata that the page itself can detect. */
export function findMetadataErrors({ description, authors }: MetadataEntries): FormError[] {
  const formErrors: FormError[] = [];
  if (description.title.trim() === "") formErrors.push({ pointer: "/metadata/title", kind: "missing", word: "title" });
  if (!authors.some(({ role }) => role === "Creator")) {
    formErrors.push({ pointer: "/metadata/authors", kind: "missing", word: "creator" });
  }
  for (const [index, author] of authors.entries()) {
    const at = `/metadata/authors/${index}`;
    const wrongRors = rorsOf(author, index).filter(({ ror }) => ror.trim() !== "" && canonicalRor(ror) === undefined);
    formErrors.push(...wrongRors.map(({ pointer }) => ({ pointer, kind: "wrong" as const, word: "ror" as const })));
    if (isOrganisation(author)) {
      if (author.name.trim() === "")
        formErrors.push({ pointer: `${at}/name`, kind: "missing", word: "organisationName" });
      continue;
    }
    if (author.role === "Creator" && nameOf(author) === "") {
      formErrors.push({ pointer: at, kind: "missing", word: "creatorName" });
    }
    if (judgeOrcid(author.orcid) !== "empty" && judgeOrcid(author.orcid) !== "right") {
      formErrors.push({ pointer: `${at}/orcid`, kind: "wrong", word: "orcid" });
    }
  }
  return formErrors;
}

/** The fields for ROR ids of an author: its own if it is an organisation, otherwise those of its affiliations. */
function rorsOf(author: Person, index: number): { pointer: string; ror: string }[] {
  if (isOrganisation(author)) return [{ pointer: `/metadata/authors/${index}/rorid`, ror: author.rorid }];
  return affiliationsOf(author).map(({ rorid }, at) => ({
    pointer: affiliationPointer(index, at, "rorid"),
    ror: rorid,
  }));
}

/** The page's own errors, those that a test found, and those of the service that the page has not detected itself. */
export function mergeFormErrors(
  own: readonly FormError[],
  tested: readonly FormError[],
  said: readonly Remark[],
): FormError[] {
  const isNew = ({ pointer }: { pointer: string }) => !own.some((formError) => isWithin(pointer, formError.pointer));
  const distinct = new Map(
    said.filter(isNew).map(({ pointer, code, detail }) => [`${pointer} ${code}`, { pointer, code, detail }]),
  );
  const others = [...distinct.values()].map((formError) => ({ ...formError, kind: "wrong" as const }));
  return [...own, ...tested.filter(isNew), ...others];
}

/** The errors at members that are the same in both requests. */
export function stillWrong(remarks: readonly Remark[], then: object, now: object): Remark[] {
  return remarks.filter(({ pointer }) => JSON.stringify(at(then, pointer)) === JSON.stringify(at(now, pointer)));
}

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
