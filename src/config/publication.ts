import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import {
  DEFAULT_AGREEMENTS,
  type DepositAgreement,
  depositAgreement,
} from "../domain/publication/deposit-agreement.ts";
import { parseChoice, parseList, SettingError } from "./parse.ts";
import { PREFIX, type Read, type SettingName } from "./settings.ts";

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
}

const MOST_AGREEMENT_BYTES = 100_000;
const DATACITE = "https://api.datacite.org";
const DATACITE_NAMES = ["DATACITE_REPOSITORY", "DATACITE_PASSWORD_FILE", "DATACITE_PREFIX"] as const;

export function publicationOf(read: Read): PublicationSettings {
  return {
    mode: read<PublicationSettings["mode"]>("PUBLICATION", "off", (text) =>
      parseChoice(text, ["off", "review", "direct"]),
    ),
    agreements: read("DEPOSIT_AGREEMENT", DEFAULT_AGREEMENTS, parseAgreements),
    datacite: dataciteOf(read),
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
  { mode, datacite }: PublicationSettings,
  environment: NodeJS.ProcessEnv,
  /** True if the addresses of datasets are only reachable on this machine. */
  isLocal: boolean,
): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  const set = [...DATACITE_NAMES, "DATACITE_URL" as const].filter(isSet);
  const problems = DATACITE_NAMES.filter((name) => set.length > 0 && !isSet(name)).map(
    (name) => `${PREFIX}${name} is mandatory with ${PREFIX}${set[0]}`,
  );
  if (mode === "off" && (set.length > 0 || isSet("DEPOSIT_AGREEMENT"))) {
    problems.push(`${PREFIX}${set[0] ?? "DEPOSIT_AGREEMENT"} is only used with ${PREFIX}PUBLICATION=review or direct`);
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

/** Files such as `agreement.en.md`: the part before the extension is the language. */
function parseAgreements(list: string): DepositAgreement[] {
  const agreements = parseList(list, (file) => {
    const [, language] = /\.([a-z]{2,3}(?:-[a-z0-9]+)*)\.md$/i.exec(basename(file)) ?? [];
    if (language === undefined) {
      throw new SettingError(
        `names the file “${file}”; such a file’s name must end with its language, as in agreement.en.md`,
      );
    }
    const text = readText(file);
    if (text.trim() === "") throw new SettingError(`names the file “${file}”, which is empty`);
    return depositAgreement(language.toLowerCase(), text);
  });
  const languages = agreements.map(({ language }) => language);
  const repeated = languages.find((language, index) => languages.indexOf(language) < index);
  if (repeated !== undefined) throw new SettingError(`names two files for the language “${repeated}”`);
  return agreements;
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(file));
  } catch (error) {
    throw new SettingError(`names the file “${file}”, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (bytes.length > MOST_AGREEMENT_BYTES) throw new SettingError(`names the file “${file}”, which exceeds 100 kB`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SettingError(`names the file “${file}”, which is not UTF-8`);
  }
}
