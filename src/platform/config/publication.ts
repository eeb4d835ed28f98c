import {
  DEFAULT_AGREEMENTS,
  type DepositAgreement,
  depositAgreement,
} from "../../publication/rules/deposit-agreement.ts";
import { parseChoice, parseCount, SettingError } from "./parse.ts";
import { PREFIX, type Read, type SettingName } from "./settings.ts";
import { parseLanguageTexts, readText } from "./text-files.ts";

/** The account that registers DOIs. */
export interface DataciteSettings {
  /** Of the REST API, without a slash at the end. */
  url: string;
  repository: string;
  password: string;
  /** Of the DOIs, such as `10.5072`. */
  prefix: string;
}

export interface PublicationSettings {
  /** `off`: datasets are only archived. `direct`: owners publish without review. */
  mode: "off" | "review" | "direct";
  /** At least one text. The first is the default. */
  agreements: readonly DepositAgreement[];
  /** Undefined if the service registers no DOIs. */
  datacite: DataciteSettings | undefined;
  /** Whether datasets get a DOI that stands for all versions. */
  conceptDois: boolean;
  /** Whether curators may approve their own datasets and edits. */
  selfApproval: boolean;
  /** Days after which the party that must act is reminded; 0 for no reminders. */
  reminderDays: number;
}

const MOST_REMINDER_DAYS = 365;
const DATACITE = "https://api.datacite.org";
const DATACITE_NAMES = ["DATACITE_REPOSITORY", "DATACITE_PASSWORD_FILE", "DATACITE_PREFIX"] as const;

export function publicationOf(read: Read): PublicationSettings {
  return {
    mode: read<PublicationSettings["mode"]>("PUBLICATION", "off", (text) =>
      parseChoice(text, ["off", "review", "direct"]),
    ),
    agreements: read("DEPOSIT_AGREEMENT", DEFAULT_AGREEMENTS, parseAgreements),
    datacite: dataciteOf(read),
    conceptDois: read("CONCEPT_DOI", false, (text) => parseChoice(text, ["on", "off"]) === "on"),
    selfApproval: read("SELF_APPROVAL", false, (text) => parseChoice(text, ["on", "off"]) === "on"),
    reminderDays: read("REVIEW_REMINDER_DAYS", 7, parseDays),
  };
}

function dataciteOf(read: Read): DataciteSettings | undefined {
  const url = read("DATACITE_URL", DATACITE, parseUrl);
  const repository = read<string | undefined>("DATACITE_REPOSITORY", undefined, parseRepository);
  const password = read<string | undefined>("DATACITE_PASSWORD_FILE", undefined, readPassword);
  const prefix = read<string | undefined>("DATACITE_PREFIX", undefined, parsePrefix);
  if (repository === undefined || password === undefined || prefix === undefined) return undefined;
  return { url, repository, password, prefix };
}

/** Incomplete settings are refused, because operators would assume that DOIs are registered. */
export function publicationProblems(
  { mode, datacite, conceptDois }: PublicationSettings,
  environment: NodeJS.ProcessEnv,
  /** True if the addresses of datasets are only reachable on this machine. */
  isLocal: boolean,
): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  const set = [...DATACITE_NAMES, "DATACITE_URL" as const].filter(isSet);
  const problems = DATACITE_NAMES.filter((name) => set.length > 0 && !isSet(name)).map(
    (name) => `${PREFIX}${name} is mandatory with ${PREFIX}${set[0]}`,
  );
  // The DataCite account stays necessary for what is published already.
  if (mode === "off" && isSet("DEPOSIT_AGREEMENT")) {
    problems.push(`${PREFIX}DEPOSIT_AGREEMENT is only used with ${PREFIX}PUBLICATION=review or direct`);
  }
  if (conceptDois && datacite === undefined && set.length === 0) {
    problems.push(`${PREFIX}CONCEPT_DOI requires ${PREFIX}DATACITE_REPOSITORY`);
  }
  if (datacite !== undefined && isLocal && !isLoopbackUrl(datacite.url)) {
    problems.push(
      `${PREFIX}PUBLIC_URL is mandatory with ${PREFIX}DATACITE_REPOSITORY and must not be an address of this machine, because DOIs lead to it`,
    );
  }
  return problems;
}

function isLoopbackUrl(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Plain HTTP would send the password unencrypted, so that it is only accepted on this machine. */
function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare =
    url !== undefined && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isBare || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopbackUrl(text)))) {
    throw new SettingError("is not an address such as https://api.test.datacite.org");
  }
  return url.href.replace(/\/+$/, "");
}

/** Symbols of DataCite repositories, such as `BL.IMPERIAL`. */
function parseRepository(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+$/.test(text))
    throw new SettingError("is not a repository id such as TIB.IPK");
  return text;
}

/** ISO 26324: directory indicator 10, registrant code, perhaps with subdivisions. */
function parsePrefix(text: string): string {
  if (!/^10\.\d{4,9}(\.\d+)*$/.test(text)) throw new SettingError("is not a DOI prefix such as 10.5072");
  return text;
}

function readPassword(file: string): string {
  const password = readText(file).replace(/\r?\n$/, "");
  if (password === "" || /\p{Cc}/u.test(password)) {
    throw new SettingError("names a file that does not contain exactly one line with the password");
  }
  return password;
}

function parseDays(text: string): number {
  const days = parseCount(text);
  if (days > MOST_REMINDER_DAYS) throw new SettingError(`is not a number from 0 to ${MOST_REMINDER_DAYS}`);
  return days;
}

function parseAgreements(list: string): DepositAgreement[] {
  return parseLanguageTexts(list, "agreement").map(({ language, text }) => depositAgreement(language, text));
}
