import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { typesOf } from "./schema-org/entity.ts";
import { fromSchemaOrg } from "./schema-org/schema-org.ts";

/** Fills a draft from CodeMeta 1, 2 or 3. */
export function fromCodemeta(file: FileValue, draft: Draft): void {
  fromSchemaOrg(file, draft, (value) => value);
  const isSoftware = typesOf(file).some((type) => /Software(?:SourceCode|Application)$/.test(type));
  if (isSoftware) draft.set("resourceTypeGeneral", "Software", file.member("@type", "type")?.place ?? "");
}
