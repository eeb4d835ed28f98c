import type { Submission } from "@accession/client";
import { Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { FileFilter } from "../api/submission-files.ts";
import { FileFilters } from "./FileFilters.tsx";
import { FileTable } from "./FileTable.tsx";

const TYPING_MS = 250;
const EVERYTHING: FileFilter = { state: undefined, prefix: "" };

/** Every object of the submission and what became of it. */
export function Files({ submission }: { submission: Submission }) {
  const [filter, setFilter] = useState(EVERYTHING);
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  // Another filter, attempt or listing is another table, which begins at its top.
  const { attempt, progress } = submission;
  const name = `${wanted.state} ${wanted.prefix} ${attempt} ${progress.objectsListed === 0}`;
  return (
    <Stack gap="md">
      <FileFilters id={submission.id} filter={filter} onChange={setFilter} />
      <FileTable key={name} submission={submission} filter={wanted} />
    </Stack>
  );
}
