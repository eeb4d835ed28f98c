import { earliestChange, findHarvested, type HarvestedEntry, harvestedValues } from "../../db/catalogue/harvest.ts";
import { harvestTime } from "../../db/catalogue/harvest-lock.ts";
import { listCollections } from "../../db/collections/collections.ts";
import type { PublishedDescriptions } from "../catalogue/describe-published.ts";
import type { HttpContext } from "../context.ts";
import { siteUrl } from "../dataset/readable-version.ts";
import { element, type Xml, xmlDocument } from "../responses/xml.ts";
import { siteOf } from "../site/send.ts";
import { type Arguments, argumentsOf, type Verb, verbOf } from "./arguments.ts";
import { datestamp } from "./datestamps.ts";
import { OaiError } from "./errors.ts";
import { formatOf, OAI_FORMATS } from "./formats.ts";
import { listPage } from "./lists.ts";
import { header, hostOf, records, versionOf } from "./records.ts";
import { allSets } from "./sets.ts";

const OAI = "http://www.openarchives.org/OAI/2.0/";
const SCHEMA_LOCATION = `${OAI} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd`;
/** Maximum number of records and of headers per page. */
const RECORDS = 100;
const HEADERS = 1_000;
/** Absolute URIs (RFC 3986) without a fragment. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9a-f]{2})+$/i;

/** Answers a request of a harvester (OAI-PMH 2.0). Errors of the request are part of the answer. */
export async function answerHarvester(
  context: HttpContext,
  descriptions: PublishedDescriptions,
  parameters: URLSearchParams,
): Promise<string> {
  // Before anything is read, so that a harvest that continues from here the next time loses nothing.
  const now = await harvestTime(context.db);
  let verb: Verb | undefined;
  let given: Arguments = {};
  try {
    verb = verbOf(parameters);
    given = argumentsOf(verb, parameters);
    const content = await contentOf(context, descriptions, { verb, given, now });
    return envelope(context, { now, attributes: { verb, ...given } }, element(verb, content));
  } catch (error) {
    if (!(error instanceof OaiError)) throw error;
    const { code } = error;
    // The schema of the answer allows only valid arguments.
    const isWrong = code === "badVerb" || code === "badArgument";
    const { identifier = "", ...others } = given;
    const attributes = isWrong ? {} : { verb, ...others, ...(URI.test(identifier) && { identifier }) };
    return envelope(context, { now, attributes }, written(error));
  }
}

function written({ code, message }: OaiError): Xml {
  return element("error", message, { code });
}

/** Answers a request whose arguments cannot be read, for the reason that the message states. */
export function answerUnreadable(context: HttpContext, message: string): string {
  return envelope(context, { now: new Date(), attributes: {} }, written(new OaiError("badArgument", message)));
}

function envelope(
  context: HttpContext,
  { now, attributes }: { now: Date; attributes: Record<string, string | undefined> },
  content: Xml,
): string {
  return xmlDocument(
    element(
      "OAI-PMH",
      [element("responseDate", datestamp(now)), element("request", baseUrl(context), attributes), content],
      { xmlns: OAI, "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation": SCHEMA_LOCATION },
    ),
  );
}

/** @throws OaiError */
async function contentOf(
  context: HttpContext,
  descriptions: PublishedDescriptions,
  { verb, given, now }: { verb: Verb; given: Arguments; now: Date },
): Promise<Xml[]> {
  switch (verb) {
    case "Identify":
      return identify(context, now);
    case "ListMetadataFormats":
      if (given.identifier !== undefined) await requireEntry(context, given.identifier, now);
      return Object.entries(OAI_FORMATS).map(([prefix, { schema, namespace }]) =>
        element("metadataFormat", [
          element("metadataPrefix", prefix),
          element("schema", schema),
          element("metadataNamespace", namespace),
        ]),
      );
    case "ListSets":
      if (given.resumptionToken !== undefined) {
        throw new OaiError("badResumptionToken", "The list of sets is complete and has no resumption tokens");
      }
      return allSets(await harvestedValues(context.db, "type"), await listCollections(context.db)).map(
        ({ spec, name, description = "" }) =>
          element("set", [element("setSpec", spec), element("setName", name), setDescription(description)]),
      );
    case "GetRecord": {
      const format = formatOf(given.metadataPrefix ?? "");
      const entry = await requireEntry(context, given.identifier ?? "", now);
      return records(context, descriptions, [entry], format);
    }
    case "ListIdentifiers":
      return listPage(context, given, {
        ...{ now, size: HEADERS },
        write: async (entries) => entries.map((entry) => header(context, entry)),
      });
    case "ListRecords":
      return listPage(context, given, {
        ...{ now, size: RECORDS },
        write: (entries, format) => records(context, descriptions, entries, format),
      });
  }
}

const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";

/** The description of a set as Dublin Core, as the guidelines for OAI-PMH recommend; nothing for an empty one. */
function setDescription(text: string): Xml | undefined {
  if (text === "") return undefined;
  const namespaces = {
    "xmlns:oai_dc": OAI_DC,
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xsi:schemaLocation": `${OAI_DC} http://www.openarchives.org/OAI/2.0/oai_dc.xsd`,
  };
  return element("setDescription", element("oai_dc:dc", [element("dc:description", text)], namespaces));
}

/** @throws OaiError `idDoesNotExist` */
async function requireEntry(context: HttpContext, identifier: string, now: Date): Promise<HarvestedEntry> {
  const key = versionOf(context, identifier);
  const entry = key && (await findHarvested(context.db, key, now));
  if (entry !== undefined) return entry;
  throw new OaiError("idDoesNotExist", "No published version has this identifier");
}

const OAI_IDENTIFIER = "http://www.openarchives.org/OAI/2.0/oai-identifier";
const DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/i;
const EMAIL = /^\S+@(?:\S+\.)+\S+$/;

/** The service as `Identify` describes it. */
async function identify(context: HttpContext, now: Date): Promise<Xml[]> {
  const earliest = (await earliestChange(context.db)) ?? now;
  return [
    element("repositoryName", siteOf(context).name),
    element("baseURL", baseUrl(context)),
    element("protocolVersion", "2.0"),
    element("adminEmail", adminEmail(context)),
    element("earliestDatestamp", datestamp(earliest)),
    element("deletedRecord", "persistent"),
    element("granularity", "YYYY-MM-DDThh:mm:ssZ"),
    ...identifiers(hostOf(context)),
  ];
}

/** The address of the OAI-PMH interface. */
function baseUrl(context: HttpContext): string {
  return `${siteUrl(context)}/oai`;
}

/** OAI-PMH requires an address. Without a setting, it is that of RFC 2142 for the host. */
function adminEmail(context: HttpContext): string {
  const { email } = context.publisher;
  if (email !== undefined && EMAIL.test(email)) return email;
  const host = hostOf(context);
  return `postmaster@${host.includes(".") ? host : "localhost.localdomain"}`;
}

/** The form of the identifiers. The scheme `oai` requires a domain name, which a service for tests may not have. */
function identifiers(host: string): Xml[] {
  if (!DOMAIN.test(host)) return [];
  const description = element(
    "oai-identifier",
    [
      element("scheme", "oai"),
      element("repositoryIdentifier", host),
      element("delimiter", ":"),
      element("sampleIdentifier", `oai:${host}:00000000-0000-4000-8000-000000000000/1`),
    ],
    { xmlns: OAI_IDENTIFIER, "xsi:schemaLocation": `${OAI_IDENTIFIER} ${OAI_IDENTIFIER}.xsd` },
  );
  return [element("description", description)];
}
