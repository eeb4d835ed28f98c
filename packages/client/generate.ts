import openapiTypescript, { astToString } from "openapi-typescript";

/** The types of an OpenAPI document, as a module. */
export async function typesOf(document: object): Promise<string> {
  const nodes = await openapiTypescript(document as never, { alphabetize: true, enumValues: false });
  return `/* Written by clients/generate.ts from the API's description. Do not edit. */\n\n${astToString(nodes)}`;
}
