/** Metadata files of one invented field trial, one of each kind, with values that only that kind has. */
export const samples: Record<string, string> = {
  "datacite.json": JSON.stringify({
    titles: [{ title: "Soil moisture of 24 wheat plots" }],
    creators: [
      {
        name: "Carberry, Josiah",
        nameType: "Personal",
        nameIdentifiers: [{ nameIdentifier: "0000-0002-1825-0097", nameIdentifierScheme: "ORCID" }],
      },
      {
        name: "Doe, Jane",
        nameIdentifiers: [{ nameIdentifier: "0000-0002-1825-0000", nameIdentifierScheme: "ORCID" }],
      },
    ],
    fundingReferences: [{ funderName: "Barley Foundation", awardNumber: "BF-12" }],
    dates: [{ date: "2026-03-01/2026-07-31", dateType: "Collected" }],
  }),
  "datacite.xml": `<resource xmlns="http://datacite.org/schema/kernel-4">
  <titles><title>Title from XML</title></titles>
  <version>1.0 from XML</version>
</resource>`,
  "ro-crate-metadata.json": JSON.stringify({
    "@context": "https://w3id.org/ro/crate/1.2/context",
    "@graph": [
      { "@id": "ro-crate-metadata.json", about: { "@id": "./" } },
      { "@id": "./", "@type": "Dataset", name: "Title from RO-Crate", inLanguage: "en" },
    ],
  }),
  "CITATION.cff": `cff-version: 1.2.0
title: Title from CFF
license: CC-BY-4.0
authors:
  - {given-names: Other, family-names: Author}
`,
  "codemeta.json": JSON.stringify({
    "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
    keywords: "wheat, soil",
  }),
  "i_trial.txt": `INVESTIGATION
Investigation Title\tTitle from ISA-Tab
INVESTIGATION CONTACTS
Investigation Person Last Name\tDoe
Investigation Person Email\tjane@example.org
Investigation Person Roles\tcorresponding author
`,
  "datapackage.json": JSON.stringify({ title: "Title from Data Package", version: "2.1" }),
  "dataset_description.json": JSON.stringify({
    Name: "Title from BIDS",
    Acknowledgements: "We thank the greenhouse team.",
  }),
  "README.md": `# Title from README

Hourly soil moisture, air temperature and leaf area index of wheat plots.
`,
};
