import type { TSchema } from "typebox";
import { METADATA_FORMATS, type MetadataFormatName } from "../../export/formats.ts";
import { CslView, DataciteView, JsonLdView } from "../schemas.ts";
import type { About } from "./answer.ts";
import { descriptionExample } from "./description-examples.ts";

/** What the API's description says of each form in which a dataset is described; undefined for a form that is no JSON. */
const SCHEMAS = {
  "schema-org": JsonLdView,
  "datacite-json": DataciteView,
  "datacite-xml": undefined,
  "dublin-core": undefined,
  dcat: undefined,
  csl: CslView,
  bibtex: undefined,
  ris: undefined,
} as const satisfies Record<MetadataFormatName, TSchema | undefined>;

/** The media types of all descriptions, for an answer that may be one of them. DCAT shares that of schema.org. */
export function descriptionMedia(): Required<Pick<About, "json" | "bytes">> {
  const names = Object.keys(METADATA_FORMATS) as MetadataFormatName[];
  const json = names.flatMap((name) => {
    const schema = SCHEMAS[name];
    return schema === undefined
      ? []
      : [[METADATA_FORMATS[name].mediaType, { schema, example: descriptionExample(name) }]];
  });
  const written = new Map(json as [string, { schema: TSchema; example: unknown }][]);
  const others = names.map((name) => METADATA_FORMATS[name].mediaType as string).filter((type) => !written.has(type));
  return { json: Object.fromEntries(written), bytes: [...new Set(others)] };
}
