import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseRobots } from "../../public/usage/agents.ts";
import { listOf, SettingError } from "./parse.ts";

const MOST_BYTES = 100_000;
/** COUNTER’s list has about 100 kB. */
const MOST_ROBOTS_BYTES = 1_000_000;

/** A text in a language. */
export interface LanguageText {
  /** BCP 47, in lower case. */
  language: string;
  text: string;
}

/**
 * Reads Markdown files, separated by commas, such as `agreement.en.md`: the part before the extension is the language.
 *
 * @param example the name of a file in the error message
 */
export function languageTexts(example: string): (list: string) => LanguageText[] {
  return (list) => {
    const texts = listOf((file) => {
      const [, language] = /\.([a-z]{2,3}(?:-[a-z0-9]+)*)\.md$/i.exec(basename(file)) ?? [];
      if (language === undefined) {
        throw new SettingError(
          `names the file “${file}”; such a file’s name must end with its language, as in ${example}.en.md`,
        );
      }
      const text = readText(file);
      if (text.trim() === "") throw new SettingError(`names the file “${file}”, which is empty`);
      return { language: language.toLowerCase(), text };
    })(list);
    const languages = texts.map(({ language }) => language);
    const repeated = languages.find((language, index) => languages.indexOf(language) < index);
    if (repeated !== undefined) throw new SettingError(`names two files for the language “${repeated}”`);
    return texts;
  };
}

/** @throws SettingError if the file cannot be read, is too large, or is not UTF-8 */
export function readText(file: string, most = MOST_BYTES): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readBytes(file, most));
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(`names the file “${file}”, which is not UTF-8`);
  }
}

/** @throws SettingError if the file cannot be read or is too large */
export function readBytes(file: string, most: number): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(file));
  } catch (error) {
    throw new SettingError(`names the file “${file}”, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (bytes.length > most) throw new SettingError(`names the file “${file}”, which exceeds ${most / 1_000} kB`);
  return bytes;
}

/** A list of robots. */
export function readRobots(file: string): RegExp {
  const text = readText(file, MOST_ROBOTS_BYTES);
  try {
    return parseRobots(text);
  } catch (error) {
    throw new SettingError(`names the file “${file}”, which ${(error as Error).message}`);
  }
}
