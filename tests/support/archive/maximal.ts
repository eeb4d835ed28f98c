import type { Metadata } from "../../../src/describe/metadata/schema.ts";

/**
 * Metadata with every member, for tests and for the table of docs/metadata.md. Every text occurs only once, so that it can
 * be found again in an export.
 */
export const maximalMetadata = {
  title: "Barley root images of the field season",
  description: "Photographs of barley roots, taken every week in the greenhouses of a plant research institute.",
  authors: [
    {
      role: "Creator",
      nameType: "Personal",
      firstName: "Josiah",
      lastName: "Carberry",
      orcid: "0000-0002-1825-0097",
      affiliation: "Brown University",
      rorid: "https://ror.org/05gq02987",
      affiliations: [{ name: "Leibniz Institute of Plant Genetics", rorid: "https://ror.org/02skbsp27" }],
      address: "1 Prospect Street",
      zipCode: "02912-1234",
      city: "Providence",
      country: "US",
    },
    {
      role: "Creator",
      nameType: "Organizational",
      name: "Root Imaging Consortium",
      rorid: "https://ror.org/00k4n6c32",
    },
    { role: "DataCurator", nameType: "Personal", firstName: "Ada", lastName: "Curator" },
    { role: "HostingInstitution", affiliation: "University Library of the Coast" },
  ],
  language: "de",
  subjects: ["rhizotron"],
  license: "CC-BY-4.0",
  embargoDate: "2027-06-30",
  titles: [
    { title: "Gerstenwurzelbilder der Feldsaison", titleType: "TranslatedTitle", language: "de-AT" },
    { title: "With a view from below", titleType: "Subtitle", language: "en" },
  ],
  descriptions: [
    {
      description: "The camera was fixed at a distance of forty centimetres.",
      descriptionType: "Methods",
      language: "en",
    },
    { description: "Images are PNG files with sixteen bits per channel.", descriptionType: "TechnicalInfo" },
    { description: "One folder for each week, one image for each plant.", descriptionType: "TableOfContents" },
    { description: "Part of a long-term series of root observations.", descriptionType: "SeriesInformation" },
  ],
  contact: { name: "Data office of the institute", email: "data-office@example.org", public: true },
  subjectTerms: [
    {
      subject: "Hordeum vulgare",
      subjectScheme: "AGROVOC",
      schemeUri: "https://aims.fao.org/aos/agrovoc",
      valueUri: "http://aims.fao.org/aos/agrovoc/c_3662",
      classificationCode: "c_3662",
      language: "la",
    },
  ],
  fundingReferences: [
    {
      funderName: "European Commission of Examples",
      funderIdentifier: "https://doi.org/10.13039/501100000780",
      funderIdentifierType: "Crossref Funder ID",
      awardNumber: "101017502",
      awardTitle: "Phenotyping of crops below ground",
      awardUri: "https://cordis.europa.eu/project/id/101017502",
    },
  ],
  relatedIdentifiers: [
    {
      relationType: "IsDescribedBy",
      relatedIdentifier: "10.1234/roots.2026",
      relatedIdentifierType: "DOI",
      resourceTypeGeneral: "JournalArticle",
      citation: "Carberry J (2026): Roots of barley. Journal of Psychoceramics 5.",
    },
    {
      relationType: "References",
      citation: "Curator A (1998): Soil and light. Printed thesis.",
      resourceTypeGeneral: "Dissertation",
    },
    {
      relationType: "IsDerivedFrom",
      relatedIdentifier: "https://data.example.org/seeds/17",
      relatedIdentifierType: "URL",
    },
  ],
  dates: [
    { date: "2026-05-04/2026-07-27", dateType: "Collected", dateInformation: "Weekly photographs" },
    { date: "2026-08", dateType: "Created" },
    { date: "2026/2031", dateType: "Valid" },
  ],
  geoLocations: [
    {
      geoLocationPlace: "Gatersleben in Saxony-Anhalt",
      geoLocationPoint: { pointLatitude: 51.8267, pointLongitude: 11.2799 },
      geoLocationBox: {
        westBoundLongitude: 11.21,
        eastBoundLongitude: 11.43,
        southBoundLatitude: 51.81,
        northBoundLatitude: 51.92,
      },
    },
  ],
  resourceTypeGeneral: "Image",
  resourceType: "Root photographs",
  alternateIdentifiers: [{ alternateIdentifier: "PRJEB12345", alternateIdentifierType: "ENA accession number" }],
  versionLabel: "2026.1-rev",
  licenses: [{ license: "MIT", appliesTo: "code of the analysis" }],
  acknowledgements: "We thank the gardeners of the greenhouse.",
} satisfies Metadata;
