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
  // Later versions, as R and Debian write them: “GPL (>= 3)”, “GPL-3+”.
  [/[(\s]*(?:>=|=>|≥)\s*v?(\d[\d.]*)\)?/g, " $1 orlater"],
  [/\(?or (?:\(?at your option\)? )?(?:any )?(?:later|newer|higher|greater)(?: version)?\)?/g, "orlater"],
  [/v\.?\s*(?=\d)/g, ""],
  [/\+/g, "orlater"],
  // Other comparisons name no licence of the list.
  [/[<>|/]/g, "?"],
  [/(\d)\.0(?![\d.])/g, "$1"],
  [/[^a-z0-9?]/g, ""],
];

/** R adds the name of a file to a licence that it knows. */
const R_FILE = /\s*\+\s*file licen[cs]e$/i;
/** An abbreviation of a name, such as “PDDL”, and not a condition. */
const ABBREVIATION = /^(?!NC|ND|SA)[A-Z][A-Za-z-]?[A-Z][A-Za-z-]{0,8}(?:[ -]?v?\d[\d.]*)?$/;

/** Addresses of licences at their authors that the list does not have. */
const USUAL_ADDRESSES: readonly [string, string][] = [
  ...["pddl", "pddl/1-0", "pddl/1.0"].map((end): [string, string] => [
    `opendatacommons.org/licenses/${end}`,
    "PDDL-1.0",
  ]),
  ...["by", "by/1-0", "by/1.0"].map((end): [string, string] => [`opendatacommons.org/licenses/${end}`, "ODC-By-1.0"]),
  ...["odbl", "odbl/1-0", "odbl/1.0"].map((end): [string, string] => [
    `opendatacommons.org/licenses/${end}`,
    "ODbL-1.0",
  ]),
  ["govdata.de/dl-de/by-2-0", "DL-DE-BY-2.0"],
  ["govdata.de/dl-de/zero-2-0", "DL-DE-ZERO-2.0"],
];

const ids = [...licences.keys()].sort();
const byId = new Map(ids.map((id) => [id.toLowerCase(), id]));
const byAddress = addresses();
const bySpelling = spellings();

/** The canonical id for an SPDX id in any case (SPDX 2.3, annex D.2: ids match case-insensitively). */
export function licenceById(text: string): string | undefined {
  return byId.get(text.toLowerCase());
}

/**
 * The id for a full name or a common spelling: “CC BY 4.0”, “Apache License, Version 2.0”, “GPLv3”, “ODbL”, “GPL (>= 3)”, also
 * with a second spelling of the same licence in brackets. What else is in brackets may change the licence.
 */
export function licenceBySpelling(text: string): string | undefined {
  const stated = text.replace(R_FILE, "");
  const known = bySpelling.get(fold(stated));
  const [, before = "", inside = ""] = /^([^()]+)\(([^()]+)\)$/.exec(stated) ?? [];
  if (known !== undefined || inside === "") return known;
  const [outer, inner] = [before, inside].map((part) => bySpelling.get(fold(part)));
  // The brackets can contain the abbreviation of a name, or the version that the name lacks.
  const address = /^https?:\/\//i.test(inside) ? (licenceByAddress(inside) ?? outer) : undefined;
  if (address !== undefined) return address === outer ? outer : undefined;
  const isSame = outer === undefined || inner === outer || ABBREVIATION.test(inside.trim());
  return isSame ? (inner ?? outer) : undefined;
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
    "CC0-1.0": ["CC0", "CC Zero", "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication"],
    "ODbL-1.0": ["ODbL", "ODC-ODbL", "ODC-ODbL-1.0", "Open Database License"],
    "ODC-By-1.0": ["ODC-By", "Open Data Commons Attribution License"],
    "PDDL-1.0": [
      "PDDL",
      "ODC-PDDL",
      "ODC-PDDL-1.0",
      "Public Domain Dedication and License v1.0",
      "Open Data Commons Public Domain Dedication and Licence",
    ],
    "DL-DE-BY-2.0": ["dl-de/by-2-0", "Datenlizenz Deutschland Namensnennung 2.0"],
    "DL-DE-ZERO-2.0": ["dl-de/zero-2-0", "Datenlizenz Deutschland Zero 2.0"],
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
  const found = new Map(USUAL_ADDRESSES);
  const groups = Map.groupBy(ids, (id) => foldAddress(licences.get(id)?.url ?? ""));
  groups.delete("");
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
