import type { ExportInput } from "../../describe/formats/export-input.ts";
import { METADATA_FORMATS } from "../../describe/formats/formats.ts";
import { element, Xml } from "../responses/xml.ts";
import { OaiError } from "./errors.ts";

/** A metadata format of OAI-PMH. */
export interface OaiFormat {
  schema: string;
  namespace: string;
  /** Whether it states the media types of files. */
  namesMediaTypes: boolean;
  /** Writes the content of the element `metadata`. */
  write(described: ExportInput): Xml;
}

const KERNEL = "http://datacite.org/schema/kernel-4";
const KERNEL_SCHEMA = "https://schema.datacite.org/meta/kernel-4.7/metadata.xsd";
const KERNEL_VERSION = "4.7";
const OAI_DATACITE = "http://schema.datacite.org/oai/oai-1.1/";
const OAI_DATACITE_SCHEMA = "http://schema.datacite.org/oai/oai-1.1/oai.xsd";

/** The metadata formats by their prefix. Every record is available in all of them. */
export const OAI_FORMATS: Record<string, OaiFormat> = {
  oai_dc: {
    schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
    namespace: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    namesMediaTypes: false,
    write: (described) => embedded(METADATA_FORMATS["dublin-core"].write(described)),
  },
  datacite: { schema: KERNEL_SCHEMA, namespace: KERNEL, namesMediaTypes: true, write: datacite },
  oai_datacite: {
    schema: OAI_DATACITE_SCHEMA,
    namespace: OAI_DATACITE,
    namesMediaTypes: true,
    write: (described) =>
      element(
        "oai_datacite",
        [
          element("schemaVersion", KERNEL_VERSION),
          element("datacentreSymbol", described.facts.publisher.name),
          element("payload", datacite(described)),
        ],
        { xmlns: OAI_DATACITE, "xsi:schemaLocation": `${OAI_DATACITE} ${OAI_DATACITE_SCHEMA}` },
      ),
  },
};

const PREFIX = /^[A-Za-z0-9\-_.!~*'()]+$/;

/** @throws OaiError `cannotDisseminateFormat`, or `badArgument` for a text that is no prefix */
export function formatOf(prefix: string): OaiFormat {
  if (!PREFIX.test(prefix))
    throw new OaiError("badArgument", "The argument “metadataPrefix” has characters that are not allowed");
  const format = Object.hasOwn(OAI_FORMATS, prefix) ? OAI_FORMATS[prefix] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(OAI_FORMATS).join(", ");
  throw new OaiError("cannotDisseminateFormat", `The metadata format is unknown. Known formats: ${known}`);
}

function datacite(described: ExportInput): Xml {
  return embedded(METADATA_FORMATS["datacite-xml"].write(described));
}

/** A document as a part of another one. */
function embedded(document: string): Xml {
  return new Xml(document.replace(/^<\?xml[^>]*\?>\s*/, ""));
}
