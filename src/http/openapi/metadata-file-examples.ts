import { metadata } from "./examples.ts";

const citation = `cff-version: 1.2.0
title: ${metadata.title}
license: CC-BY-4.0
keywords: [wheat, irrigation]
authors:
  - {given-names: Josiah, family-names: Carberry, orcid: "https://orcid.org/0000-0002-1825-009"}
`;

export const metadataFiles = {
  files: [{ name: "CITATION.cff", content: Buffer.from(citation).toString("base64") }],
};

const suggestedFrom = (key: string) => ({
  values: {
    title: metadata.title,
    authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry" }],
    subjects: metadata.subjects,
    license: metadata.license,
  },
  sources: { title: key, authors: key, subjects: key, license: key },
  files: [
    {
      key,
      kind: "cff",
      bytes: Buffer.byteLength(citation),
      remarks: [{ place: "line 6", message: "“orcid”: The ORCID iD is not valid. The value is not used." }],
      problem: null,
    },
  ],
});

export const suggestions = suggestedFrom("measurements/CITATION.cff");

export const fileSuggestions = suggestedFrom("CITATION.cff");
