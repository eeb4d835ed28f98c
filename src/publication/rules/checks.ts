import { type AccessKind, SHORT_DESCRIPTION } from "../../../packages/rules/src/index.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { descriptionWeakness, licenceWeakness } from "../../describe/metadata/weaknesses.ts";
import { type AcceptedLicences, acceptsLicence, type LocalText } from "../../domain/collection.ts";
import { several } from "../../domain/numbers.ts";
import type { DepositAgreement } from "./deposit-agreement.ts";
import { type FairPoint, missingFairPoints } from "./fair.ts";
import type { FileFacts } from "./file-facts.ts";
import type { Agreement, Place, RegistrationProblem } from "./publication.ts";
import { contradictsEmbargo } from "./stated-embargo.ts";
import type { PublicationState } from "./states.ts";

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
  /** For `fair_incomplete`: the recommendations that are not fulfilled. */
  points?: FairPoint[];
}

export const CHECK_CODES = [
  ...["licence_missing", "licence_unknown", "description_missing", "description_short", "embargo_differs"],
  ...["readme_missing", "files_empty", "files_personal", "files_damaged", "objects_excluded"],
  ...["doi_domain", "doi_account", "datacite_schema", "agreement_changed", "fair_incomplete"],
  "collection_licence",
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

/** A violation of DataCite's schema by the record that would be registered. */
export interface RecordViolation {
  /** Property of DataCite, such as `creators`; null if the record as a whole is not valid. */
  property: string | null;
  message: string;
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
  /** Why the account at DataCite cannot register DOIs, according to its last check; null if it can, or without DOIs. */
  accountProblem: RegistrationProblem | null;
  registersDois: boolean;
  /** Of the record that would be registered; empty if it is valid, or without DOIs. */
  violations: readonly RecordViolation[];
  state: PublicationState;
  /** The acceptance with the last request; null if there was none. */
  agreement: Agreement | null;
  /** The present texts of the deposit agreement. */
  agreements: readonly DepositAgreement[];
  /** The collections for which the owner asks. */
  collections: readonly (AcceptedLicences & { name: LocalText })[];
  /** `YYYY-MM-DD`, UTC. */
  today: string;
}

/** Problems that end automatically. */
const PASSING: ReadonlySet<string> = new Set(["datacite_unreachable", "datacite_busy"]);

/** The metadata fields from which the properties of a DataCite record are made. The others are made by the service. */
const FIELDS_OF_PROPERTIES: Readonly<Record<string, string>> = {
  creators: "/authors",
  contributors: "/authors",
  titles: "/title",
  publicationYear: "/embargoDate",
  resourceType: "/resourceType",
  subjects: "/subjects",
  dates: "/dates",
  language: "/language",
  alternateIdentifiers: "/alternateIdentifiers",
  relatedIdentifiers: "/relatedIdentifiers",
  relatedItems: "/relatedIdentifiers",
  version: "/versionLabel",
  rightsList: "/license",
  descriptions: "/description",
  geoLocations: "/geoLocations",
  fundingReferences: "/fundingReferences",
};

/** States in which the accepted agreement applies: in the others, the owner accepts the present one with the next request. */
const AGREED: ReadonlySet<PublicationState> = new Set(["in_review", "approved", "registering"]);

/** The automatic checks before publication, those that prevent it first. */
export function checkForPublication(checked: Checked): CheckFinding[] {
  const findings = [
    ...schemaFindings(checked),
    ...descriptionFindings(checked),
    ...collectionFindings(checked),
    ...fileFindings(checked),
    ...accountFindings(checked),
    ...agreementFindings(checked),
    ...fairFindings(checked),
  ];
  const order: CheckSeverity[] = ["error", "warning", "hint"];
  return findings.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** Whether findings prevent publication. */
export function preventsPublication(findings: readonly CheckFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function descriptionFindings({ metadata, access, embargoDate, today }: Checked): CheckFinding[] {
  const { license, description } = metadata;
  const findings: CheckFinding[] = [];
  const add = (code: CheckCode, severity: CheckSeverity, field: string, texts: [string, string]) =>
    findings.push({ code, severity, message: texts[0], nextStep: texts[1], place: { field } });
  const licence = licenceWeakness(license);
  if (licence === "license_missing") {
    add("licence_missing", "error", "/license", [
      "The dataset has no licence, so that readers may not use it.",
      "Choose a licence. For data, CC BY 4.0 or CC0 1.0 are usual.",
    ]);
  } else if (licence === "license_unknown") {
    add("licence_unknown", "warning", "/license", [
      `The licence “${license?.name}” is not a known one, so that machines cannot read it.`,
      "Choose a licence from the SPDX list, or state the URL of its text.",
    ]);
  }
  const weakness = descriptionWeakness(description);
  if (weakness === "description_missing" || weakness === "description_short") {
    const message =
      weakness === "description_missing"
        ? "The dataset has no description."
        : `The description has fewer than ${SHORT_DESCRIPTION} characters. Dataset search engines ignore such datasets.`;
    const nextStep =
      "Describe in a few sentences what the data are, how they were produced, and what they can be used for.";
    add(weakness, "warning", "/description", [message, nextStep]);
  }
  if (contradictsEmbargo({ access, embargoDate }, metadata.embargoDate, today)) {
    const requested = access === "embargoed" ? `embargoed until ${embargoDate}` : access;
    add("embargo_differs", "error", "/embargoDate", [
      `The metadata state an embargo until ${metadata.embargoDate}, but the requested access is “${requested}”.`,
      "Change the date in the metadata, or request the access “embargoed” with this date. During a review, a curator requests changes for that.",
    ]);
  }
  return findings;
}

/** One finding for all collections that do not accept the licence. */
function collectionFindings({ metadata: { license }, collections }: Checked): CheckFinding[] {
  const refusing = collections.filter((collection) => !acceptsLicence(collection, license?.spdx));
  if (refusing.length === 0) return [];
  const accepted = refusing.map(({ name, licences }) => `“${name.en}” accepts ${licences.join(", ")}`);
  const message = `The dataset has a licence that a requested collection does not accept: ${accepted.join("; ")}.`;
  const nextStep = "Choose a licence that it accepts, or request publication without this collection.";
  return [findingOf("collection_licence", "error", [message, nextStep], { place: { field: "/license" } })];
}

function findingOf(
  code: CheckCode,
  severity: CheckSeverity,
  [message, nextStep]: [string, string],
  more: Pick<CheckFinding, "place" | "points"> = {},
): CheckFinding {
  return { code, severity, message, nextStep, ...more };
}

/** One finding for all violations. It prevents publication only if the owner can correct a field. */
function schemaFindings({ violations }: Checked): CheckFinding[] {
  const named = violations.map(({ property, message }) => (property === null ? message : `${property}: ${message}`));
  if (named.length === 0) return [];
  const [field] = violations.flatMap(({ property }) => FIELDS_OF_PROPERTIES[property ?? ""] ?? []);
  const message = `The DataCite record does not conform to DataCite’s schema 4.7. ${named.join(" ")}`;
  if (field === undefined) {
    const nextStep = "Ask the operator of this service to report it: these properties are not made from the metadata.";
    return [findingOf("datacite_schema", "warning", [message, nextStep])];
  }
  const nextStep = "Correct the metadata that the message names.";
  return [findingOf("datacite_schema", "error", [message, nextStep], { place: { field } })];
}

/** Tells the curator that the owner has accepted an earlier text than the present one. */
function agreementFindings({ state, agreement, agreements }: Checked): CheckFinding[] {
  if (agreement === null || !AGREED.has(state)) return [];
  if (agreements.some(({ sha256 }) => sha256 === agreement.sha256)) return [];
  const { by, at } = agreement;
  return [
    findingOf("agreement_changed", "hint", [
      `The text of the deposit agreement has changed since ${by} accepted it on ${at.slice(0, 10)}.`,
      "If the present text must apply, request changes, or take the approval back: the owner accepts it with the next request.",
    ]),
  ];
}

/** One finding for all recommendations, so that they do not hide other findings. */
function fairFindings({ metadata, files, registersDois }: Checked): CheckFinding[] {
  const points = missingFairPoints({ metadata, registersDois, hasOpenFormat: files.openFormat });
  if (points.length === 0) return [];
  const message = `FAIR self-assessment: ${several(points.length, "recommendation")} to make the dataset easier to find and reuse.`;
  return [findingOf("fair_incomplete", "hint", [message, "Check which of them apply to the dataset."], { points })];
}

/** The owner cannot correct these, so that they do not prevent a request. */
function accountFindings({ accountProblem: problem }: Checked): CheckFinding[] {
  if (problem === null || PASSING.has(problem.code)) return [];
  return [
    {
      code: problem.code === "datacite_domain" ? "doi_domain" : "doi_account",
      severity: "warning",
      message: `${problem.message}. The DOI cannot be registered at present.`,
      nextStep: `Ask the operator of this service to correct it: ${problem.action}`,
    },
  ];
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
      "Add a README to the data that explains folders, files and columns, and archive them as a new version.",
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
      `${several(excluded, "object")} of the data source are not part of the dataset.`,
      "Check the error report of the submission, and whether the dataset is complete without them.",
    ]);
  }
  return findings;
}

/** The number of errors and warnings of the automatic checks, as it is stored with a publication; null before the first run. */
export interface FoundByChecks {
  check_errors: number | null;
  check_warnings: number | null;
}

/** Counts the errors and warnings. */
export function countFound(checks: readonly CheckFinding[]): FoundByChecks {
  const number = (wanted: CheckFinding["severity"]) => checks.filter(({ severity }) => severity === wanted).length;
  return { check_errors: number("error"), check_warnings: number("warning") };
}

/** What the checks found when they last ran; null if they never did, or if the version is or was published. */
export function lastFound(
  state: PublicationState,
  { check_errors: errors, check_warnings: warnings }: FoundByChecks,
): { errors: number; warnings: number } | null {
  if (errors === null || warnings === null || state === "published" || state === "withdrawn") return null;
  return { errors, warnings };
}
