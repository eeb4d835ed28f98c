import { listOf, SettingError } from "./parse.ts";

/** A setting as the documentation shows it. `docs/configuration.md` is generated from these tables. */
export interface Setting {
  /** Without the prefix `ACCESSION_`, except for the variables of OpenTelemetry. */
  name: string;
  /** In words, for the operator. */
  default: string;
  meaning: string;
  /** Always masked. */
  secret?: true;
}

/** Prefix of all environment variables of Accession. */
export const PREFIX = "ACCESSION_";

/** A setting of the service, and how it is read. `parse` throws SettingError. */
export interface ReadSetting<T> extends Omit<Setting, "name"> {
  parse(text: string): T;
  /** The value if the setting is not given. */
  unset(): T;
}

/** A setting whose default is read like a value. @param more.shown the default in words, if the value does not say it */
export function setting<T>(
  parse: (text: string) => T,
  value: string,
  meaning: string,
  { shown = value, ...more }: { shown?: string; secret?: true } = {},
): ReadSetting<T> {
  return { default: shown, meaning, parse, unset: () => parse(value), ...more };
}

/** A setting that is undefined unless it is given. @param shown what that means, in words */
export function optional<T>(
  parse: (text: string) => T,
  shown: string,
  meaning: string,
  more: { secret?: true } = {},
): ReadSetting<T | undefined> {
  return { default: shown, meaning, parse, unset: () => undefined, ...more };
}

/** A setting of several values, separated by commas; none by default. */
export function list<T>(parse: (text: string) => T, meaning: string): ReadSetting<T[]> {
  return setting(listOf(parse), "", meaning, { shown: "none" });
}

/** Reads an environment variable. An empty value means “not given”. An invalid one is added to `problems`, and counts as not given. */
export function readValue<T>(
  environment: NodeJS.ProcessEnv,
  name: string,
  { parse, unset }: Pick<ReadSetting<T>, "parse" | "unset">,
  problems: string[],
): T {
  const text = environment[name]?.trim();
  if (text === undefined || text === "") return unset();
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    problems.push(`${name} ${error.message}`);
    return unset();
  }
}
