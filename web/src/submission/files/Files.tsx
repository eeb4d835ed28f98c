import type { Submission } from "@accession/client";
import { Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FileFilter } from "../../api/submission-files.ts";
import { fetchCsv } from "../../api/submission-files.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { save } from "../../ui/save.ts";
import { FileTable } from "./FileTable.tsx";

const STATES = ["listed", "stored", "failed", "excluded"] as const;

const TYPING_MS = 250;

interface Props {
  submission: Submission;
  filter: FileFilter;
  onFilter: (filter: FileFilter) => void;
}

/** All files of the submission, with a filter. */
export function Files({ submission, filter, onFilter }: Props) {
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  // With another filter, attempt or listing, the table starts at its top.
  const { attempt, progress } = submission;
  const name = `${wanted.state} ${wanted.prefix} ${attempt} ${progress.objectsListed === 0}`;
  return (
    <Stack gap="md">
      <FileFilters submission={submission} filter={filter} onFilter={onFilter} />
      <FileTable key={name} submission={submission} filter={wanted} />
    </Stack>
  );
}

/** The filter, and the download of the filtered list. */
function FileFilters({ submission: { id }, filter, onFilter }: Props) {
  const { t } = useTranslation("submission");
  const csv = useMutation({
    mutationFn: () => fetchCsv(id, filter),
    onSuccess: (bytes) => save(bytes, `files-${id}.csv`),
    gcTime: 0,
  });
  const states = STATES.map((value) => ({ value, label: t(`files.states.${value}`) }));
  return (
    <>
      <Group component="search" gap="sm" align="flex-end">
        <TextInput
          flex="1 1 14rem"
          maw="26rem"
          label={t("files.prefix")}
          placeholder={t("files.prefixHint")}
          value={filter.prefix}
          maxLength={2_048}
          spellCheck={false}
          onChange={({ currentTarget }) => onFilter({ ...filter, prefix: currentTarget.value })}
        />
        <NativeSelect
          label={t("files.columns.state")}
          value={filter.state ?? ""}
          onChange={({ currentTarget }) => {
            onFilter({ ...filter, state: STATES.find((one) => one === currentTarget.value) });
          }}
          data={[{ value: "", label: t("files.all") }, ...states]}
        />
        <BusyButton
          ml="auto"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          isBusy={csv.isPending}
          onClick={() => csv.mutate()}
        >
          {t("files.csv")}
        </BusyButton>
      </Group>
      {csv.error !== null && <ProblemAlert error={csv.error} />}
    </>
  );
}
