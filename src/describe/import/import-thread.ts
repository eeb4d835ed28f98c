/** A thread that parses metadata files, so that the thread that serves requests stays responsive; see metadata-importer.ts. */
import { Problem } from "../../domain/problems.ts";
import { serveCalls } from "../../platform/threads/serve-calls.ts";
import type { ImportMessages } from "./metadata-importer.ts";
import { readMetadataFile } from "./read-metadata-file.ts";

serveCalls<ImportMessages>({
  call: async ({ kind, bytes }, call) => {
    call.send("begun");
    try {
      return { imported: readMetadataFile(kind, bytes) };
    } catch (error) {
      if (error instanceof Problem && error.code === "metadata_file_invalid") return { refusal: error.message };
      throw error;
    }
  },
});
