import type { Affiliation } from "../../domain/metadata/schema.ts";
import type { RelationType } from "../../domain/metadata/values/terms.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { degrees } from "./degrees.ts";
import { addLicences } from "./licence-choice.ts";
import { citationOf, identifierIn, relatedTo } from "./links.ts";
import { affiliationOf, authorOf, MAX_AFFILIATIONS, type StatedAgent } from "./people.ts";
import { withoutTags } from "./plain-text.ts";

/** Returns the entity to which a value refers, or the value itself. */
export type Resolve = (value: FileValue) => FileValue;

/** Members that name a related resource. */
const RELATIONS: readonly [member: string, type: RelationType][] = [
  ["citation", "References"],
  ["subjectOf", "IsDescribedBy"],
  ["referencePublication", "IsDescribedBy"],
  ["isPartOf", "IsPartOf"],
  ["isBasedOn", "IsDerivedFrom"],
  ["sameAs", "IsIdenticalTo"],
  ["relatedLink", "References"],
  ["codeRepository", "IsSupplementTo"],
];

/** Members that name a person or organisation. */
const ROLES: readonly [member: string, role: string][] = [
  ["author", "Creator"],
  ["creator", "Creator"],
  ["contributor", "Contributor"],
  ["maintainer", "Contributor"],
  ["editor", "Editor"],
];

const ORGANISATION = /(?:^|[/#:])(?:\w*Organization|Consortium|Project|ResearchProject|CollegeOrUniversity)$/;

/** Fills a draft from an entity in the vocabulary of schema.org. */
export function fromSchemaOrg(root: FileValue, draft: Draft, resolve: Resolve): void {
  const all = (...names: string[]) => root.entries(...names).map(resolve);
  const text = (name: string) => ({ value: root.text(name), place: root.member(name)?.place ?? root.place });
  const title = text("name");
  draft.set("title", title.value, title.place);
  for (const other of root.entries("alternateName", "alternativeHeadline")) {
    const title = other.text();
    if (title !== undefined) draft.add("titles", { title, titleType: "AlternativeTitle" }, other.place);
  }
  const description = text("description");
  draft.set("description", withoutTags(description.value), description.place);
  const version = root.member("version", "softwareVersion");
  draft.set("versionLabel", version?.text(), version?.place ?? root.place);
  addAgents(root, draft, resolve);
  addContact(all("contactPoint"), draft);
  const [language] = all("inLanguage");
  draft.set("language", language?.text("alternateName", "name") ?? language?.text(), language?.place ?? root.place);
  addKeywords(all("keywords"), draft);
  for (const about of all("about")) addTerm(about, draft);
  addLicences(
    draft,
    all("license").map((licence) => ({
      spellings: [idOf(licence), licence.text("identifier"), licence.text("url"), licence.text("name"), licence.text()],
      place: licence.place,
    })),
  );
  addFunding(root, draft, resolve);
  for (const [name, type] of RELATIONS) for (const other of all(name)) addRelation(other, type, draft, resolve);
  addDates(root, draft);
  for (const place of [...all("spatialCoverage"), ...all("contentLocation")]) addPlace(place, draft, resolve);
  for (const identifier of all("identifier")) addIdentifier(identifier, draft);
}

/** The identifier of an entity; CodeMeta 3 writes `id`. */
export function idOf(entity: FileValue): string | undefined {
  return entity.text("@id", "id");
}

/** The types of an entity; CodeMeta 3 writes `type`. */
export function typesOf(entity: FileValue): string[] {
  return entity.entries("@type", "type").flatMap((type) => type.text() ?? []);
}

function addAgents(root: FileValue, draft: Draft, resolve: Resolve): void {
  const known = new Set<string>();
  const stated = new AgentReader(resolve);
  for (const [member, role] of ROLES) {
    const read = new Set<FileValue>();
    for (const entry of root.entries(member)) {
      if (!draft.isOpen("authors")) return;
      const agent = resolve(entry);
      // A file can refer to the same entity very often.
      if (read.has(agent)) continue;
      read.add(agent);
      const types = typesOf(agent);
      // CodeMeta adds the roles of persons as entities of type Role beside the persons themselves.
      if (types.some((type) => /(?:^|[/:])Role$/.test(type))) continue;
      const author = authorOf({ role, ...stated.agent(agent, types) });
      if (author === undefined) draft.remark(agent.place, "The person or organisation has no name and is not used.");
      else {
        const identity = JSON.stringify({ ...author, role: "" });
        // Creators are often listed again as contributors.
        if (role !== "Contributor" || !known.has(identity)) draft.add("authors", author, agent.place);
        known.add(identity);
      }
    }
  }
}

/** Reads persons and organisations. Each institution to which they refer is read once. */
class AgentReader {
  readonly #resolve: Resolve;
  readonly #institutions = new Map<FileValue, Affiliation[]>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  agent(agent: FileValue, types: string[]): Omit<StatedAgent, "role"> {
    const affiliations = agent.entries("affiliation", "memberOf").slice(0, MAX_AFFILIATIONS).map(this.#resolve);
    return {
      isOrganisation: types.length === 0 ? undefined : types.some((type) => ORGANISATION.test(type)),
      name: agent.text("name") ?? agent.text(),
      given: agent.text("givenName"),
      family: agent.text("familyName"),
      identifiers: identifiersOf(agent),
      affiliations: affiliations.flatMap((one) => this.#institution(one)),
    };
  }

  #institution(one: FileValue): Affiliation[] {
    const known = this.#institutions.get(one);
    if (known !== undefined) return known;
    const read = affiliationOf(one.text("name") ?? one.text(), ...identifiersOf(one));
    this.#institutions.set(one, read);
    return read;
  }
}

/** The texts of an entity that can identify it. */
function identifiersOf(entity: FileValue): (string | undefined)[] {
  const stated = ["identifier", "sameAs", "url"].flatMap((name) => entity.entries(name));
  return [idOf(entity), ...stated.map((one) => one.text("value") ?? idOf(one) ?? one.text())];
}

function addContact(points: FileValue[], draft: Draft): void {
  const point = points.find((one) => one.text("email") !== undefined);
  const email = point?.text("email")?.replace(/^mailto:/i, "");
  if (point !== undefined && email !== undefined)
    draft.set("contact", { name: point.text("name"), email }, point.place);
}

function addKeywords(keywords: FileValue[], draft: Draft): void {
  for (const keyword of keywords) {
    if (keyword.isObject && keyword.member("@value") === undefined) addTerm(keyword, draft);
    else {
      // schema.org writes several keywords as one text with commas, and some tools with semicolons.
      for (const word of keyword.text()?.split(/[,;]/) ?? [])
        draft.add("subjects", word.trim() || undefined, keyword.place);
    }
  }
}

function addTerm(term: FileValue, draft: Draft): void {
  const subject = term.text("name");
  const set = term.member("inDefinedTermSet");
  const scheme = set === undefined ? undefined : (idOf(set) ?? set.text("name") ?? set.text());
  const address = (text: string | undefined) => (text !== undefined && /^https?:\/\//i.test(text) ? text : undefined);
  if (subject === undefined) return;
  draft.add(
    "subjectTerms",
    {
      subject,
      subjectScheme: set?.text("name") ?? (address(scheme) === undefined ? scheme : undefined),
      schemeUri: address(scheme),
      valueUri: address(idOf(term)) ?? address(term.text("url")),
      classificationCode: term.text("termCode"),
    },
    term.place,
  );
}

function addFunding(root: FileValue, draft: Draft, resolve: Resolve): void {
  const funders = root.entries("funder").map(resolve);
  const grants = root.entries("funding").map(resolve);
  const named = new Set<string | undefined>();
  for (const grant of grants) {
    const funder = grant.entries("funder").map(resolve)[0];
    // CodeMeta states the number of the grant as a text beside the funder.
    const of = funder ?? (grant.isObject ? undefined : funders[0]);
    const funderName = of?.text("name") ?? of?.text();
    if (funderName === undefined) {
      draft.remark(grant.place, "The grant has no funder and is not used.");
      continue;
    }
    named.add(funderName);
    const id = idOf(grant);
    draft.add(
      "fundingReferences",
      {
        funderName,
        ...funderIdentifiers(of),
        awardNumber: grant.text("identifier") ?? grant.text(),
        awardTitle: grant.text("name"),
        awardUri: grant.text("url") ?? (id?.startsWith("http") ? id : undefined),
      },
      grant.place,
    );
  }
  for (const funder of funders) {
    const funderName = funder.text("name") ?? funder.text();
    if (funderName === undefined || named.has(funderName)) continue;
    draft.add("fundingReferences", { funderName, ...funderIdentifiers(funder) }, funder.place);
  }
}

function funderIdentifiers(funder: FileValue | undefined): { funderIdentifier?: string } {
  const identifiers = funder === undefined ? [] : identifiersOf(funder);
  const known = identifiers.find(
    (text) => text !== undefined && /ror\.org\/|10\.13039\/|isni\.org\/|^grid\./i.test(text),
  );
  return known === undefined ? {} : { funderIdentifier: known };
}

function addRelation(other: FileValue, type: RelationType, draft: Draft, resolve: Resolve): void {
  const citation = citationOf({
    authors: other
      .entries("author")
      .slice(0, 20)
      .map(resolve)
      .map((author) => author.text("name") ?? author.text("familyName")),
    year: other.text("datePublished")?.slice(0, 4),
    title: other.text("creditText") ?? other.text("name"),
  });
  const isLink = identifierIn(other.text()) !== undefined;
  const stated = other.isObject ? citation : isLink ? undefined : other.text();
  const relation = relatedTo(type, [other.text(), ...identifiersOf(other)], stated);
  draft.add("relatedIdentifiers", relation, other.place);
}

function addDates(root: FileValue, draft: Draft): void {
  const dates = [
    ["dateCreated", "Created"],
    ["temporalCoverage", "Coverage"],
  ] as const;
  for (const [name, dateType] of dates) {
    for (const entry of root.entries(name)) {
      const date = entry.text();
      if (date !== undefined) draft.add("dates", { date, dateType }, entry.place);
    }
  }
}

function addPlace(place: FileValue, draft: Draft, resolve: Resolve): void {
  const geoLocationPlace = place.text("name") ?? place.text();
  const shapes = place.entries("geo").map(resolve);
  const geo = shapes[0] ?? place;
  draft.add(
    "geoLocations",
    { geoLocationPlace, geoLocationPoint: pointOf(geo), geoLocationBox: boxOf(geo) },
    place.place,
  );
  if (geo.member("polygon", "line", "circle") !== undefined) {
    draft.remark(geo.place, "Only points and boxes are supported. The shape is not used.");
  }
}

function pointOf(geo: FileValue) {
  const wkt = /\bPOINT ?\(([^()]{1,100})\)$/i.exec(geo.text("asWKT")?.slice(0, 300) ?? "")?.[1];
  // Well-known text writes the longitude first.
  const [longitude, latitude] = wkt?.trim().split(/\s+/) ?? [];
  return {
    pointLatitude: degrees(latitude ?? geo.text("latitude")),
    pointLongitude: degrees(longitude ?? geo.text("longitude")),
  };
}

function boxOf(geo: FileValue) {
  const [south, west, north, east] =
    geo
      .text("box")
      ?.slice(0, 300)
      .split(/[\s,]+/) ?? [];
  return {
    westBoundLongitude: degrees(west),
    eastBoundLongitude: degrees(east),
    southBoundLatitude: degrees(south),
    northBoundLatitude: degrees(north),
  };
}

function addIdentifier(identifier: FileValue, draft: Draft): void {
  const text = identifier.text("value") ?? identifier.text() ?? idOf(identifier);
  const known = identifierIn(text);
  // Other texts are often names of the crate itself, such as “./”.
  if (known === undefined) return;
  draft.add(
    "alternateIdentifiers",
    { alternateIdentifier: known.identifier, alternateIdentifierType: known.type },
    identifier.place,
  );
}
