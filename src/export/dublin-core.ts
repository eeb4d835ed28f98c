import { create } from "xmlbuilder2";
import { xmlText } from "../archive/metadata/datacite-xml.ts";
import { type Described, summaryOf } from "./described.ts";

const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
const DC = "http://purl.org/dc/elements/1.1/";
const SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";

/** The dataset in simple Dublin Core, in the XML of OAI-PMH (`oai_dc`). */
export function dublinCore(described: Described): string {
  const summary = summaryOf(described);
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele(OAI_DC, "oai_dc:dc");
  root.att("http://www.w3.org/2000/xmlns/", "xmlns:dc", DC);
  root.att("http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation", `${OAI_DC} ${SCHEMA}`);
  const { licence } = summary;
  const elements: [name: string, values: (string | undefined)[]][] = [
    ["title", [summary.title]],
    ["creator", summary.creators.map(({ name }) => name)],
    ["subject", summary.subjects],
    ["description", [summary.description]],
    ["publisher", [summary.publisher.name]],
    ["contributor", summary.contributors.map(({ name }) => name)],
    ["date", [summary.available]],
    ["type", ["Dataset"]],
    ["identifier", [summary.identifier, summary.url]],
    ["language", [summary.language]],
    ["rights", [licence.name, licence.url]],
  ];
  for (const [name, values] of elements) {
    for (const value of values) if (value !== undefined) root.ele(DC, `dc:${name}`).txt(xmlText(value));
  }
  return root.end({ prettyPrint: true });
}
