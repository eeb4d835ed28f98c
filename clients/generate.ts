/**
 * Writes clients/openapi.json, the API's description, and the types that the TypeScript client is made of. With
 * `--check` nothing is written, and the exit code is 1 when a file on disk is not what would be written.
 */
import { writeGenerated } from "../docs/generate/write.ts";
import { typesOf } from "../packages/client/generate.ts";
import { describeApi } from "../src/http/openapi/offline.ts";

const description = await describeApi();
writeGenerated("npm run clients", {
  "clients/openapi.json": `${JSON.stringify(description, null, 2)}\n`,
  "packages/client/src/schema.ts": await typesOf(description),
});
