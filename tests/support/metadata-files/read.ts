import type { FileKind } from "../../../src/describe/import/file-kinds.ts";
import type { Imported } from "../../../src/describe/import/imported.ts";
import { readMetadataFile } from "../../../src/describe/import/read-metadata-file.ts";

/** Reads a metadata file from its text, or from the value that it contains as JSON. */
export function readFile(kind: FileKind, content: string | object): Imported {
  return readMetadataFile(kind, Buffer.from(typeof content === "string" ? content : JSON.stringify(content)));
}

/** Reads an RO-Crate with the properties of its root dataset, and other entities. */
export function readCrate(root: object, ...entities: object[]): Imported {
  const descriptor = { "@id": "ro-crate-metadata.json", about: { "@id": "./" } };
  return readFile("ro-crate", { "@graph": [descriptor, { "@id": "./", "@type": "Dataset", ...root }, ...entities] });
}

/** Reads DataCite XML of kernel 4 with the content of its root element. */
export function readDatacite(content: string): Imported {
  return readFile("datacite-xml", `<resource xmlns="http://datacite.org/schema/kernel-4">${content}</resource>`);
}

/** Reads an ISA-Tab investigation file with these lines in the section of the study. */
export function readIsa(...lines: string[]): Imported {
  return readFile("isa-tab", ["INVESTIGATION", "Investigation Title\tPots", "STUDY", ...lines].join("\n"));
}

/** A person as a metadata file gives it; by default a creator. */
export function person(firstName: string, lastName: string, more: object = {}): object {
  return { role: "Creator", nameType: "Personal", firstName, lastName, ...more };
}

/** An organisation as a metadata file gives it; by default a creator. */
export function organisation(name: string, more: object = {}): object {
  return { role: "Creator", nameType: "Organizational", name, ...more };
}

/** A related resource with an identifier as a metadata file gives it. */
export function related(relationType: string, type: string, identifier: string, more: object = {}): object {
  return { relationType, relatedIdentifier: identifier, relatedIdentifierType: type, ...more };
}

/** An area as a metadata file gives it. */
export function box(south: number, west: number, north: number, east: number): object {
  return {
    westBoundLongitude: west,
    eastBoundLongitude: east,
    southBoundLatitude: south,
    northBoundLatitude: north,
  };
}
