import { isObject } from "../../domain/shape.ts";
import { isLanguage } from "./csv.ts";
import { isConceptAddress } from "./identifiers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { JsonObject } from "./json-entries.ts";
import type { VocabularyEntry } from "./vocabulary.ts";

/** A text with its language. */
interface Label {
  text: string;
  language: string | null;
}

const SKOS = "http://www.w3.org/2004/02/skos/core#";
/** Prefixes and names that contexts usually define, for documents whose context is at another address. */
const USUAL: Record<string, string> = {
  skos: SKOS,
  dct: "http://purl.org/dc/terms/",
  dcterms: "http://purl.org/dc/terms/",
  dc: "http://purl.org/dc/elements/1.1/",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  owl: "http://www.w3.org/2002/07/owl#",
};
const NAMES = [
  ...["prefLabel", "altLabel", "hiddenLabel", "notation"],
  ...["inScheme", "topConceptOf", "Concept", "ConceptScheme"],
];
const TITLES = ["http://purl.org/dc/terms/title", "http://purl.org/dc/elements/1.1/title", `${USUAL.rdfs}label`];
/** Maximum number of names that are defined by each other. */
const MOST_STEPS = 8;
const DEPRECATED = `${USUAL.owl}deprecated`;

/** Whether an entry of a file is a node of JSON-LD. */
export function isJsonLdNode(value: JsonObject): boolean {
  return "@id" in value || "@type" in value || "uri" in value || ("type" in value && "prefLabel" in value);
}

/**
 * Reads the concepts and concept schemes of a SKOS vocabulary as JSON-LD, expanded or compacted. Contexts at other
 * addresses are not read; their usual names are known.
 */
export class SkosReader {
  /** Names of the concept schemes by their address. */
  readonly schemes: Record<string, string> = {};
  readonly #wanted: string | undefined;
  readonly #terms = new Map<string, string>();
  /** Languages of the texts of a name; null for texts without a language. */
  readonly #languages = new Map<string, string | null>();
  #base: string | undefined;
  #defaultLanguage: string | null = null;

  /** @param wanted the preferred language of labels; default: English */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
    for (const [prefix, address] of Object.entries(USUAL)) this.#terms.set(prefix, address);
    for (const name of NAMES) this.#terms.set(name, SKOS + name);
  }

  /**
   * Refuses a context after the entries, which were read without it.
   *
   * @throws InvalidVocabulary
   */
  refuseContext(context: unknown): void {
    if (!asList(context).some(isObject)) return;
    throw new InvalidVocabulary(
      "“@context” is after the entries. Move it to the beginning of the file, before “@graph”, and import the file again",
    );
  }

  /** Takes over the prefixes and names that a context defines. */
  addContext(context: unknown): void {
    for (const part of asList(context)) {
      if (typeof part !== "object" || part === null) continue;
      for (const [name, definition] of Object.entries(part)) {
        const address = isObject(definition) ? definition["@id"] : definition;
        if (isObject(definition) && "@language" in definition) {
          const language = definition["@language"];
          this.#languages.set(name, typeof language === "string" ? language : null);
        }
        if (typeof address !== "string") continue;
        if (name === "@base") this.#base = address;
        else if (name === "@language") this.#defaultLanguage = address;
        else this.#terms.set(name, address);
      }
    }
  }

  /**
   * The entry of a concept; undefined for another node, and for a concept that is deprecated or has no label.
   *
   * @throws InvalidVocabulary without a place
   */
  entry(node: JsonObject): VocabularyEntry | undefined {
    const members = this.#membersOf(node);
    const types = asList(members.get("@type")).map((type) => this.#address(String(type)));
    if (types.includes(`${SKOS}ConceptScheme`)) this.#addScheme(members);
    const preferred = this.#labels(members.get(`${SKOS}prefLabel`));
    if (!types.includes(`${SKOS}Concept`)) return undefined;
    if (asList(members.get(DEPRECATED)).some((value) => String(literalOf(value)) === "true")) return undefined;
    const id = this.#idOf(members);
    const label = this.#best(preferred);
    if (label === undefined) return undefined;
    const others = [
      ...preferred.filter((one) => one !== label),
      ...["altLabel", "hiddenLabel"].flatMap((name) => this.#labels(members.get(SKOS + name))),
    ];
    const notation = literalOf(asList(members.get(`${SKOS}notation`))[0]);
    return {
      id,
      label: label.text,
      acronyms: [],
      alternatives: others.map(({ text }) => text),
      language: label.language,
      scheme: null,
      schemeUri: this.#schemeOf(members),
      notation: typeof notation === "string" || typeof notation === "number" ? String(notation) : null,
      city: null,
      country: null,
    };
  }

  #addScheme(members: Map<string, unknown>): void {
    const titles = [...TITLES, `${SKOS}prefLabel`].flatMap((name) => this.#labels(members.get(name)));
    const title = this.#best(titles);
    if (title !== undefined) this.schemes[this.#idOf(members)] = title.text;
  }

  #schemeOf(members: Map<string, unknown>): string | null {
    for (const name of ["inScheme", "topConceptOf"]) {
      const [scheme] = asList(members.get(SKOS + name));
      const id = isObject(scheme) ? (scheme["@id"] ?? scheme.uri ?? scheme.id) : scheme;
      if (typeof id === "string") return this.#absolute(id);
    }
    return null;
  }

  /** The members by the complete addresses of their names. */
  #membersOf(node: JsonObject): Map<string, unknown> {
    const members = new Map<string, unknown>();
    for (const [name, value] of Object.entries(node)) {
      const address = this.#address(name);
      if (address.startsWith("@")) members.set(address, value);
      // Several names can stand for the same property, such as one for each language.
      else members.set(address, [...asList(members.get(address)), ...this.#inLanguage(name, value)]);
    }
    // Compacted documents often rename these.
    for (const [keyword, names] of [
      ["@id", ["uri", "id"]],
      ["@type", ["type"]],
    ] as const) {
      const used = names.find((name) => Object.hasOwn(node, name));
      if (!members.has(keyword) && used !== undefined) members.set(keyword, node[used]);
    }
    return members;
  }

  /** The values of a member, whose texts have the language of its name. */
  #inLanguage(name: string, value: unknown): unknown[] {
    const language = this.#languages.get(name);
    if (language === undefined) return asList(value);
    return asList(value).map((one) =>
      typeof one === "string" ? { "@value": one, ...(language !== null && { "@language": language }) } : one,
    );
  }

  #idOf(members: Map<string, unknown>): string {
    const id = members.get("@id");
    if (typeof id !== "string" || id === "") throw new InvalidVocabulary("The node has no “@id”");
    return this.#absolute(id);
  }

  /** The complete address of a name or compacted address. */
  #address(name: string, steps = 0): string {
    if (name.startsWith("@") || steps > MOST_STEPS) return name;
    const known = this.#terms.get(name);
    if (known !== undefined && known !== name) return this.#address(known, steps + 1);
    const colon = name.indexOf(":");
    if (colon < 0 || name.startsWith("//", colon + 1)) return name;
    const prefix = this.#terms.get(name.slice(0, colon));
    return prefix === undefined ? name : prefix + name.slice(colon + 1);
  }

  #absolute(id: string): string {
    const address = id.includes(":") ? this.#address(id) : id;
    // An undefined prefix looks like the scheme of an address.
    if (isConceptAddress(address)) return address;
    if (this.#base !== undefined && !/^[^/?#]*:/.test(id) && URL.canParse(id, this.#base)) {
      const absolute = new URL(id, this.#base).href;
      if (isConceptAddress(absolute)) return absolute;
    }
    throw new InvalidVocabulary(
      `“${id.slice(0, 100)}” is not a complete address (https://, http:// or urn:). Define its prefix in “@context”, or export the vocabulary with complete addresses`,
    );
  }

  /** The labels in a value: texts, texts with a language, or texts by language. */
  #labels(value: unknown): Label[] {
    return asList(value).flatMap((item): Label[] => {
      if (typeof item === "string") return [{ text: item, language: this.#defaultLanguage }];
      if (!isObject(item)) return [];
      const text = item["@value"] ?? item.value;
      const language = item["@language"] ?? item.lang;
      if (typeof text === "string") return [{ text, language: typeof language === "string" ? language : null }];
      return Object.entries(item).flatMap(([tag, texts]) =>
        tag.startsWith("@")
          ? []
          : asList(texts).flatMap((one) => (typeof one === "string" ? { text: one, language: tag } : [])),
      );
    });
  }

  /** The label in the preferred language, in English, without a language, or the first. */
  #best(labels: readonly Label[]): Label | undefined {
    for (const wanted of [this.#wanted, "en"]) {
      const found = labels.find(
        ({ language }) => wanted !== undefined && language !== null && isLanguage(language, wanted),
      );
      if (found !== undefined) return found;
    }
    return labels.find(({ language }) => language === null) ?? labels[0];
  }
}

function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function literalOf(value: unknown): unknown {
  return isObject(value) ? (value["@value"] ?? value.value) : value;
}
