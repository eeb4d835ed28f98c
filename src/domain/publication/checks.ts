import type { NormalizedMetadata } from "../metadata/normalized.ts";
import { several } from "../numbers.ts";
import type { AccessKind } from "./access.ts";
import type { Place } from "./publication.ts";

/** `error`: publication is refused until it is corrected. `warning`: someone should look at it. `hint`: an improvement. */
export type CheckSeverity = "error" | "warning" | "hint";

/** What an automatic check found, for the owner and the curators. */
export interface CheckFinding {
  /** Stable. */
  code: CheckCode;
  severity: CheckSeverity;
  message: string;
  nextStep: string;
  place?: Place;
}

export const CHECK_CODES = [
  "licence_missing",
  "licence_unknown",
  "description_missing",
  "description_short",
  "keywords_missing",
  "orcid_missing",
  "related_missing",
  "embargo_differs",
  "readme_missing",
  "files_empty",
  "files_personal",
  "files_damaged",
  "objects_excluded",
  "doi_domain",
  "doi_account",
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

/** What the names and sizes of a version's files reveal. */
export interface FileFacts {
  readme: boolean;
  /** Number of files without bytes, and the first of them. */
  empty: { number: number; first: string | undefined };
  /** Number of files whose names suggest personal data, and the first of them. */
  personal: { number: number; first: string | undefined };
}

/** What is checked before publication. */
export interface Checked {
  metadata: NormalizedMetadata;
  files: FileFacts;
  /** Objects of the bucket that were left out. */
  excluded: number;
  /** Result of the last audit; undefined before the first. */
  auditOk: boolean | undefined;
  access: AccessKind;
  embargoDate: string | null;
  /** `YYYY-MM-DD`, UTC. */
  today: string;
}

/** Length from which search engines show a description (Google Dataset Search: 50 characters). */
const SHORTEST_DESCRIPTION = 50;

const README = /^(data\/)?read[-_. ]?me(\.[a-z0-9]+)?$/i;
/** Words in file names that often stand for data about people, in English and German. */
const PERSONAL =
  /(^|[^a-z])(passports?|patients?|patienten?|participants?|proband(?:en|innen)?|teilnehmer(?:innen)?|addresses|adressen|phone[-_ ]?numbers?|birth[-_ ]?dates?|geburtsdat(?:um|en)|social[-_ ]?security|ssn|interviews?|consent|einwilligung(?:en)?)([^a-z]|$)/i;

/** Collects {@link FileFacts} while the files of a version are read. */
export class FileFactsCollector {
  readonly facts: FileFacts = {
    readme: false,
    empty: { number: 0, first: undefined },
    personal: { number: 0, first: undefined },
  };

  /** @param path logical path, such as `data/README.md` */
  add(path: string, bytes: number): void {
    if (README.test(path)) this.facts.readme = true;
    if (bytes === 0) count(this.facts.empty, path);
    if (PERSONAL.test(path.slice(path.lastIndexOf("/") + 1))) count(this.facts.personal, path);
  }
}

function count(counted: { number: number; first: string | undefined }, path: string): void {
  counted.number += 1;
  counted.first ??= path;
}

/** The automatic checks before publication, those that prevent it first. */
export function checkForPublication(checked: Checked): CheckFinding[] {
  const findings = [...descriptionFindings(checked), ...fileFindings(checked)];
  const order: CheckSeverity[] = ["error", "warning", "hint"];
  return findings.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** Whether findings prevent publication. */
export function preventsPublication(findings: readonly CheckFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function descriptionFindings({ metadata, access, embargoDate, today }: Checked): CheckFinding[] {
  const { license, description, subjects, subjectTerms, authors, relatedIdentifiers } = metadata;
  const findings: CheckFinding[] = [];
  const add = (code: CheckCode, severity: CheckSeverity, field: string, texts: [string, string]) =>
    findings.push({ code, severity, message: texts[0], nextStep: texts[1], place: { field } });
  if (license === undefined) {
    add("licence_missing", "error", "/license", [
      "The dataset has no licence, so that readers may not use it.",
      "Choose a licence. For data, CC BY 4.0 or CC0 1.0 are usual.",
    ]);
  } else if (license.spdx === undefined && license.url === undefined) {
    add("licence_unknown", "warning", "/license", [
      `The licence “${license.name}” is not a known one, so that machines cannot read it.`,
      "Choose a licence from the SPDX list, or state the URL of its text.",
    ]);
  }
  if (description === undefined) {
    add("description_missing", "warning", "/description", [
      "The dataset has no description.",
      "Describe in a few sentences what the data are, how they were produced, and what they can be used for.",
    ]);
  } else if ([...description].length < SHORTEST_DESCRIPTION) {
    add("description_short", "warning", "/description", [
      `The description has fewer than ${SHORTEST_DESCRIPTION} characters. Dataset search engines ignore such datasets.`,
      "Describe in a few sentences what the data are, how they were produced, and what they can be used for.",
    ]);
  }
  if (subjects.length === 0 && (subjectTerms ?? []).length === 0) {
    add("keywords_missing", "hint", "/subjects", [
      "The dataset has no keywords.",
      "Add the words that readers will search for.",
    ]);
  }
  if (!authors.some((author) => "orcid" in author && author.orcid !== undefined)) {
    add("orcid_missing", "hint", "/authors", [
      "No author has an ORCID iD, so that the dataset does not appear in their records.",
      "Add the ORCID iDs of the authors.",
    ]);
  }
  if ((relatedIdentifiers ?? []).length === 0) {
    add("related_missing", "hint", "/relatedIdentifiers", [
      "The dataset names no related work.",
      "If an article describes the data, add its DOI. A DOI can also be added after publication.",
    ]);
  }
  const { embargoDate: stated } = metadata;
  if (stated !== undefined && today < stated && (access !== "embargoed" || embargoDate !== stated)) {
    add("embargo_differs", "warning", "/embargoDate", [
      `The metadata state an embargo until ${stated}, which differs from the requested access.`,
      "Request the access “embargoed” with this date, or change the date in the metadata.",
    ]);
  }
  return findings;
}

function fileFindings({ files, excluded, auditOk }: Checked): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const add = (code: CheckCode, severity: CheckSeverity, texts: [string, string], file?: string) =>
    findings.push({
      code,
      severity,
      message: texts[0],
      nextStep: texts[1],
      ...(file !== undefined && { place: { file } }),
    });
  if (auditOk === false) {
    add("files_damaged", "error", [
      "The last audit found damaged files in the archive.",
      "The operator must repair the archive. The audit report names the files.",
    ]);
  }
  if (!files.readme) {
    add("readme_missing", "warning", [
      "The dataset has no README file at the top level.",
      "Add a README to the bucket that explains folders, files and columns, and archive it as a new version.",
    ]);
  }
  const { empty, personal } = files;
  if (empty.number > 0) {
    add(
      "files_empty",
      "hint",
      [`${several(empty.number, "file")} without content.`, "Check whether content is missing."],
      empty.first,
    );
  }
  if (personal.number > 0) {
    add(
      "files_personal",
      "warning",
      [
        `The names of ${several(personal.number, "file")} suggest data about people.`,
        "Check that these files may be published. If not, archive a new version without them.",
      ],
      personal.first,
    );
  }
  if (excluded > 0) {
    add("objects_excluded", "warning", [
      `${several(excluded, "object")} of the bucket are not part of the dataset.`,
      "Check the error report of the submission, and whether the dataset is complete without them.",
    ]);
  }
  return findings;
}
