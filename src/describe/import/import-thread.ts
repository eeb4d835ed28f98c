/** A thread that parses metadata files, so that the thread that serves requests stays responsive; see metadata-importer.ts. */
import { Problem } from "../../domain/problems.ts";
import { serveTasks } from "../../platform/threads/task-thread.ts";
import type { ImportResult, ImportTask } from "./metadata-importer.ts";
import { readMetadataFile } from "./read-metadata-file.ts";

serveTasks<ImportTask, ImportResult>(({ kind, bytes }) => {
  try {
    return { imported: readMetadataFile(kind, bytes) };
  } catch (error) {
    if (error instanceof Problem && error.code === "metadata_file_invalid") return { refusal: error.message };
    throw error;
  }
});
