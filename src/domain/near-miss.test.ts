import { expect, test } from "vitest";
import { rows } from "../../tests/support/listed.ts";
import { suggestMember } from "../describe/metadata/synonyms.ts";
import { nearMiss } from "./near-miss.ts";

const metadata = ["title", "description", "authors", "language", "subjects", "license", "embargoDate"];
const author = "role orcid firstName lastName affiliation rorid address zipCode city country".split(" ");

test.each(rows`
  Title → title | titel → title | titles → title | tilte → title | descripton → description
  desciption → description | DESCRIPTION → description | Descrption → description | discribtion → description
  author → authors | Authors → authors | autors → authors | athors → authors | autor → authors
  auhtors → authors | authorss → authors | langauge → language | languages → language | subject → subjects
  licence → license | Licence → license | licenses → license | lisence → license | embargo_date → embargoDate
  embargodate → embargoDate | embargo-date → embargoDate | embargoDat → embargoDate
`)("“%s” is a near miss of “%s” in the metadata", (name, meant) => {
  expect(nearMiss(name, metadata)).toBe(meant);
});

test.each(rows`
  orcId → orcid | ORCID → orcid | orcdi → orcid | rorId → rorid | first_name → firstName | firstname → firstName
  fristName → firstName | LastName → lastName | affilation → affiliation | affiliations → affiliation
  adress → address | zipcode → zipCode | roles → role | Role → role | contry → country
`)("“%s” is a near miss of “%s” of an author", (name, meant) => {
  expect(nearMiss(name, author)).toBe(meant);
});

test.each([
  // Members of other standards and of other clients' requests.
  ..."doi version publisher methods funding rights identifier relatedIdentifiers geoLocations notes format".split(" "),
  ..."resourceType publicationYear subtitle sizes project contact name id type url date dates email".split(" "),
  // Words that resemble a known name, and other words.
  ..."objects projects county licensee licensor cite site rule note table silence addressee entity".split(" "),
  // A known name with an addition is a different name.
  ..."descriptionDe title2 title_en titleEn licenseUrl license_id affiliationId subjectsScheme roleId author1".split(
    " ",
  ),
  ..."middleName fullName nickname birthName department phone fax state street".split(" "),
  // Hostile ones.
  "",
  "_",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "x".repeat(100_000),
  "title".repeat(1_000),
])("“%.40s” is not a near miss of any name", (name) => {
  expect([nearMiss(name, metadata), nearMiss(name, author)]).toEqual([undefined, undefined]);
});

test.each([
  // Known names, and their singulars, with another word or ending.
  ..."subjectId subject_id subjectIds subjectid subjectSex subject-group subjectCode subjectsTotal".split(" "),
  ..."authorId author_id authorIds authored authoredBy authorship licensed licenseId licensees".split(" "),
  ..."embargoDays embargoDateReason languageid languageCode countryid countryCode2 titled titleId".split(" "),
  ..."counter rowid addressed addressId roleName cityId firstNames2 lastNameAt autos".split(" "),
  // Members that laboratory systems, instruments and databases write.
  ..."sampleId sample_id sampleName sampleType studyId study_id studyTitle plateId plate_id plateBarcode".split(" "),
  ..."wellId wellPosition speciesName speciesId taxonId taxon strain cultivar genotype accession".split(" "),
  ..."createdAt created_at createdBy updatedAt modifiedBy projectCode projectId projectName investigationId".split(" "),
  ..."runId runDate runNumber instrument instrumentId instrumentModel operator operatorId protocolId".split(" "),
  ..."barcode batchId lotNumber experimentId experimentDate measurementDate collectionDate storageLocation".split(" "),
  ..."temperature humidity latitude longitude altitude siteCode fieldId plotId blockId replicate".split(" "),
  ..."treatment dosage unit units organism tissue assay assayId technician labName labId".split(" "),
  ..."listId taskName testName groupId userId username uuid guid status state step".split(" "),
  ..."orchid tile tiles parentId children comments remarks checksum fileCount fileFormat software softwareVersion".split(
    " ",
  ),
])("“%s” is a custom name, not a near miss", (name) => {
  expect(suggestMember("Metadata", name)?.isMistake).toBeFalsy();
  expect(suggestMember("Author", name)?.isMistake).toBeFalsy();
});

test("a known name is not a near miss", () => {
  for (const name of metadata) expect(nearMiss(name, metadata)).toBeUndefined();
});
