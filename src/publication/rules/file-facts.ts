import { MediaTypes } from "../../describe/metadata/media-types.ts";
import { isOpenFormat } from "./fair.ts";

/** What the names and sizes of a version's files reveal. */
export interface FileFacts {
  readme: boolean;
  /** Number of files without bytes, and the first of them. */
  empty: { number: number; first: string | undefined };
  /** Number of files whose names suggest personal data, and the first of them. */
  personal: { number: number; first: string | undefined };
  /** Whether a file other than a README has a format whose specification is published. */
  openFormat: boolean;
}

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
    openFormat: false,
  };
  readonly #mediaTypes = new MediaTypes();

  /** As the record of the dataset states them. */
  get mediaTypes(): string[] {
    return this.#mediaTypes.list();
  }

  /** @param path logical path, such as `data/README.md` */
  add(path: string, bytes: number, contentType: string | undefined): void {
    if (README.test(path)) this.facts.readme = true;
    else this.facts.openFormat ||= isOpenFormat(path);
    this.#mediaTypes.add(contentType);
    if (bytes === 0) count(this.facts.empty, path);
    if (PERSONAL.test(path.slice(path.lastIndexOf("/") + 1))) count(this.facts.personal, path);
  }
}

function count(counted: { number: number; first: string | undefined }, path: string): void {
  counted.number += 1;
  counted.first ??= path;
}
