import list from "spdx-license-list";

/** The SPDX licence list (spdx.org/licenses), searchable by id, common spelling and web address. */

/** Names and web addresses of the licences by canonical id. A Map, because an object would also contain “constructor”. */
export const licences: ReadonlyMap<string, { name: string; url?: string }> = new Map(Object.entries(list));

/** Replacements that map ids, full names and common spellings to one text: “CC-BY-4.0” and “Creative Commons Attribution 4.0 International”. */
const foldings: readonly [RegExp, string][] = [
  [/licence/g, "license"],
  [/creative commons/g, "cc"],
  [/non[- ]?commercial/g, "nc"],
  [/no[- ]?deriv(?:ative)?s?/g, "nd"],
  [/share[- ]?alike/g, "sa"],
  [/attribution/g, "by"],
  [/\bzero\b/g, "0"],
  [/affero general public/g, "agpl"],
  [/(?:lesser|library) general public/g, "lgpl"],
  [/general public/g, "gpl"],
  [/\b(?:the|gnu|license|version|international|unported|universal)\b/g, ""],
  [/v\.?\s*(?=\d)/g, ""],
  [/\+/g, "orlater"],
  [/(\d)\.0(?![\d.])/g, "$1"],
  [/[^a-z0-9]/g, ""],
];

const ids = [...licences.keys()].sort();
const byId = new Map(ids.map((id) => [id.toLowerCase(), id]));
const byAddress = addresses();
const bySpelling = spellings();

/** The canonical id for an SPDX id in any case (SPDX 2.3, annex D.2: ids match case-insensitively). */
export function licenceById(text: string): string | undefined {
  return byId.get(text.toLowerCase());
}

/** The id for a full name or a common spelling: “CC BY 4.0”, “Apache License, Version 2.0”, “GPLv3”, “ODbL”. */
export function licenceBySpelling(text: string): string | undefined {
  const [, outside, inside] = /^([^()]+)\(([^()]+)\)$/.exec(text) ?? [];
  return bySpelling.get(fold(text)) ?? bySpelling.get(fold(outside ?? "")) ?? bySpelling.get(fold(inside ?? ""));
}

/** The id for the web address of a licence at its author, spdx.org or opensource.org, with or without scheme. */
export function licenceByAddress(url: string): string | undefined {
  const address = foldAddress(url);
  const [, id] = /^(?:spdx|opensource)\.org\/licenses?\/(.+)$/.exec(address) ?? [];
  return byAddress.get(address) ?? (id === undefined ? undefined : licenceById(id));
}

function spellings(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (spelling: string, id: string) => {
    const key = fold(spelling);
    if (!found.has(key)) found.set(key, id);
  };
  for (const [id, { name }] of licences) add(name, current(id));
  for (const id of ids) add(id, current(id));
  const usual = {
    "CC0-1.0": ["CC0", "CC Zero"],
    "ODbL-1.0": ["ODbL", "Open Database License"],
    "ODC-By-1.0": ["ODC-By"],
    "PDDL-1.0": ["PDDL"],
    "BSD-2-Clause": ["2-clause BSD", "Simplified BSD"],
    "BSD-3-Clause": ["3-clause BSD", "New BSD", "Modified BSD"],
  };
  for (const [id, others] of Object.entries(usual)) for (const spelling of others) add(spelling, id);
  return found;
}

/** The id that replaces a retired one with the same name: GPL-3.0 and GPL-3.0-only are the same licence. */
function current(id: string): string {
  const name = licences.get(id)?.name;
  return ids.find((other) => /-(only|or-later)$/.test(other) && licences.get(other)?.name === name) ?? id;
}

function addresses(): ReadonlyMap<string, string> {
  const groups = Map.groupBy(ids, (id) => foldAddress(licences.get(id)?.url ?? ""));
  groups.delete("");
  const found = new Map<string, string>();
  for (const [address, [stem = "", ...variants]] of groups) {
    // If variants of one licence share an address, it means the plain licence. If different licences share an address,
    // it is ambiguous and left out.
    if (variants.every((variant) => variant.startsWith(stem))) found.set(address, current(stem));
  }
  return found;
}

function foldAddress(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/(?:legalcode|deed)(?:\.[a-z-]+)?$/, "")
    .replace(/\.(?:html?|txt|php|json)$/, "")
    .replace(/-standalone$/, "")
    .replace(/\/+$/, "");
}

function fold(spelling: string): string {
  return foldings.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), spelling.toLowerCase());
}
