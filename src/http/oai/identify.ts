import { earliestChange } from "../../db/catalogue/harvest.ts";
import type { HttpContext } from "../context.ts";
import { siteUrl } from "../dataset/version.ts";
import { element, type Xml } from "../responses/xml.ts";
import { siteOf } from "../site/send.ts";
import { datestamp } from "./datestamps.ts";
import { hostOf } from "./records.ts";

const OAI_IDENTIFIER = "http://www.openarchives.org/OAI/2.0/oai-identifier";
const DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/i;
const EMAIL = /^\S+@(?:\S+\.)+\S+$/;

/** The service as `Identify` describes it. */
export async function identify(context: HttpContext, now: Date): Promise<Xml[]> {
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
export function baseUrl(context: HttpContext): string {
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
