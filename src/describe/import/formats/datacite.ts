import {
  contributorTypes,
  dateTypes,
  funderIdentifierTypes,
  knownTerm,
  resourceTypes,
} from "../../../../packages/rules/src/index.ts";
import { knownLicence } from "../../metadata/values/licence.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addRelations } from "./datacite-relations.ts";
import { addDescriptions, type StatedDescription } from "./descriptions.ts";
import { addLicences } from "./licence-choice.ts";
import { addAuthors, affiliationOf } from "./people.ts";
import { boxAt, pointAt } from "./places.ts";
import { withoutTags } from "./plain-text.ts";

/** Types of dates that the service sets itself. */
const OWN_DATES = new Set(["available", "issued", "submitted", "updated", "withdrawn"]);

/** Contributor types of organisations. */
const ORGANISATIONS = new Set([
  "Distributor",
  "HostingInstitution",
  "RegistrationAgency",
  "RegistrationAuthority",
  "ResearchGroup",
]);

/** Fills a draft from DataCite JSON: the attributes alone, or the answer of the REST API with `data` and `attributes`. */
export function fromDataciteJson(file: FileValue, draft: Draft): void {
  fromDatacite(file.member("data")?.member("attributes") ?? file.member("attributes") ?? file, draft);
}

/** Fills a draft from a DataCite record in the members of DataCite JSON. */
export function fromDatacite(record: FileValue, draft: Draft): void {
  addTitles(record, draft);
  addDescriptions(descriptionsOf(record), draft);
  for (const creator of record.entries("creators")) addAgent(creator, "Creator", draft);
  for (const contributor of record.entries("contributors")) {
    addAgent(contributor, knownTerm(contributorTypes, contributor.text("contributorType") ?? "") ?? "Other", draft);
  }
  draft.setText("language", record.member("language"));
  draft.setText("versionLabel", record.member("version"));
  addSubjects(record, draft);
  addLicences(
    draft,
    record.entries("rightsList").map((rights) => {
      const [id, text] = [rights.text("rightsIdentifier"), rights.text("rights") ?? rights.text()];
      return {
        spellings: [id, rights.text("rightsUri", "rightsURI"), text],
        appliesTo: partOf(id, text),
        place: rights.place,
      };
    }),
  );
  addDates(record, draft);
  addFunding(record, draft);
  addRelations(record, draft);
  addPlaces(record, draft);
  addType(record, draft);
  addIdentifiers(record, draft);
}

function addTitles(record: FileValue, draft: Draft): void {
  const titles = record.entries("titles");
  const main = titles.find((title) => title.text("titleType") === undefined) ?? titles[0];
  for (const title of titles) {
    const text = withoutTags(title.text("title") ?? title.text());
    if (title === main) draft.set("title", title, text);
    else if (text !== undefined) {
      const [titleType, language] = [title.text("titleType"), title.text("lang", "language")];
      draft.add("titles", title, { title: text, titleType, language });
    }
  }
}

function descriptionsOf(record: FileValue): StatedDescription[] {
  return record.entries("descriptions").map((entry) => {
    const type = entry.text("descriptionType");
    return {
      text: withoutTags(entry.text("description") ?? entry.text()),
      type,
      language: entry.text("lang", "language"),
      isMain: type === undefined || type.toLowerCase() === "abstract",
      place: entry.place,
    };
  });
}

/** The part of the dataset that this service exports in brackets after the name of a licence. */
function partOf(id: string | undefined, text = ""): string | undefined {
  const name = id === undefined || id.length > 100 ? undefined : knownLicence(id)?.name;
  if (name === undefined || !text.startsWith(`${name} (`) || !text.endsWith(")")) return undefined;
  return text.slice(name.length + 2, -1);
}

function addAgent(agent: FileValue, role: string, draft: Draft): void {
  const identifiers = agent.entries("nameIdentifiers").map((identifier) => ({
    text: identifier.text("nameIdentifier"),
    scheme: identifier.text("nameIdentifierScheme") ?? identifier.text("schemeUri", "schemeURI"),
  }));
  const ofScheme = (pattern: RegExp) => identifiers.filter(({ scheme = "" }) => pattern.test(scheme));
  const others = identifiers.filter(({ scheme }) => scheme !== undefined && !/orcid|ror/i.test(scheme));
  if (others.length > 0)
    draft.remark(agent, "Identifiers of persons and organisations other than ORCID iDs and ROR ids are not used.");
  const nameType = agent.text("nameType")?.toLowerCase();
  const isOrganisation = (ORGANISATIONS.has(role) && agent.member("familyName") === undefined) || undefined;
  const stated = {
    role,
    isOrganisation: nameType === undefined ? isOrganisation : nameType === "organizational",
    name: agent.text("name"),
    isInverted: true,
    given: agent.text("givenName"),
    family: agent.text("familyName"),
    orcid: ofScheme(/orcid/i)[0]?.text,
    identifiers: identifiers.filter((one) => !others.includes(one)).map(({ text }) => text),
    affiliations: agent
      .entries("affiliation", "affiliations")
      .flatMap((one) => affiliationOf(one.text("name") ?? one.text(), one.text("affiliationIdentifier"))),
  };
  addAuthors(stated, agent.place, draft);
}

function addSubjects(record: FileValue, draft: Draft): void {
  for (const entry of record.entries("subjects")) {
    const subject = entry.text("subject") ?? entry.text();
    if (subject === undefined) continue;
    const terms = {
      ...entry.texts("subjectScheme", "classificationCode"),
      schemeUri: entry.text("schemeUri", "schemeURI"),
      valueUri: entry.text("valueUri", "valueURI"),
    };
    const isControlled = Object.values(terms).some((value) => value !== undefined);
    if (isControlled) draft.add("subjectTerms", entry, { subject, ...terms, language: entry.text("lang") });
    else draft.add("subjects", entry, subject);
  }
}

function addDates(record: FileValue, draft: Draft): void {
  for (const entry of record.entries("dates")) {
    const [date, stated = ""] = [entry.text("date"), entry.text("dateType")];
    if (date === undefined || OWN_DATES.has(stated.toLowerCase())) continue;
    const dateType = knownTerm(dateTypes, stated) ?? "Other";
    draft.add("dates", entry, { date, dateType, dateInformation: entry.text("dateInformation") });
  }
}

function addFunding(record: FileValue, draft: Draft): void {
  for (const entry of record.entries("fundingReferences")) {
    const type = entry.text("funderIdentifierType");
    draft.add("fundingReferences", entry, {
      ...entry.texts("funderName", "funderIdentifier", "awardNumber", "awardTitle"),
      funderIdentifierType: type && (knownTerm(funderIdentifierTypes, type) ?? "Other"),
      awardUri: entry.text("awardUri", "awardURI"),
    });
  }
}

function addPlaces(record: FileValue, draft: Draft): void {
  for (const place of record.entries("geoLocations")) {
    const [points, boxes] = [place.entries("geoLocationPoint"), place.entries("geoLocationBox")];
    if (place.member("geoLocationPolygon") !== undefined) {
      draft.remark(place, "Polygons are not supported. The polygon is not used.");
    }
    // Each of our places has one point and one area.
    for (let index = 0; index < Math.max(1, points.length, boxes.length); index += 1) {
      draft.add("geoLocations", place, {
        geoLocationPlace: index === 0 ? place.text("geoLocationPlace") : undefined,
        geoLocationPoint: pointIn(points[index]),
        geoLocationBox: boxIn(boxes[index]),
      });
    }
  }
}

function pointIn(stated: FileValue | undefined) {
  // Kernel 3 writes “latitude longitude” as one text.
  const [latitude, longitude] = stated?.text()?.split(/\s+/) ?? [];
  return pointAt(latitude ?? stated?.text("pointLatitude"), longitude ?? stated?.text("pointLongitude"));
}

function boxIn(stated: FileValue | undefined) {
  // Kernel 3 writes the south-western and the north-eastern corner as one text.
  const corners = stated?.text()?.split(/\s+/) ?? [];
  const sides = ["southBoundLatitude", "westBoundLongitude", "northBoundLatitude", "eastBoundLongitude"];
  return boxAt(sides.map((side, index) => corners[index] ?? stated?.text(side)));
}

function addType(record: FileValue, draft: Draft): void {
  const types = record.member("types");
  if (types === undefined) return;
  const general = types.text("resourceTypeGeneral");
  draft.set("resourceTypeGeneral", types, general && (knownTerm(resourceTypes, general) ?? "Other"));
  const exact = types.text("resourceType");
  // The text is mandatory, so that it often only repeats the type.
  draft.set("resourceType", types, exact === general ? undefined : exact);
}

function addIdentifiers(record: FileValue, draft: Draft): void {
  const doi = record.member("doi");
  if (doi !== undefined) addIdentifier(doi.text(), "DOI", doi.place, draft);
  for (const entry of [...record.entries("identifiers"), ...record.entries("alternateIdentifiers")]) {
    const identifier = entry.text("identifier", "alternateIdentifier");
    addIdentifier(identifier, entry.text("identifierType", "alternateIdentifierType"), entry.place, draft);
  }
}

function addIdentifier(identifier: string | undefined, type: string | undefined, place: string, draft: Draft): void {
  if (identifier === undefined) return;
  // The same DOI is often stated with and without its address.
  const alternateIdentifier =
    type?.toUpperCase() === "DOI" ? identifier.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, "") : identifier;
  draft.add("alternateIdentifiers", place, { alternateIdentifier, alternateIdentifierType: type });
}
