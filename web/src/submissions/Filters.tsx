import { Group, NativeSelect, TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useTranslation } from "react-i18next";
import type { SubmissionFilter } from "../api/submissions.ts";
import { MOST_LETTERS, STATUSES } from "./filter.ts";

interface Props {
  filter: SubmissionFilter;
  onChange: (filter: SubmissionFilter) => void;
}

/** Which submissions are wanted: by words of the title, and by status. */
export function Filters({ filter, onChange }: Props) {
  const { t } = useTranslation("submissions");
  const { t: ui } = useTranslation("ui");
  const statuses = STATUSES.map((value) => ({ value, label: ui(`status.${value}`) }));
  return (
    <Group component="search" gap="sm" align="flex-start">
      <TextInput
        type="search"
        flex="1 1 14rem"
        maw="26rem"
        aria-label={t("search")}
        placeholder={t("search")}
        description={t("searchDetail")}
        inputWrapperOrder={["label", "input", "description", "error"]}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={filter.q}
        maxLength={MOST_LETTERS}
        onChange={({ currentTarget }) => onChange({ ...filter, q: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t("status")}
        value={filter.status ?? ""}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, status: STATUSES.find((one) => one === currentTarget.value) })
        }
        data={[{ value: "", label: t("all") }, ...statuses]}
      />
    </Group>
  );
}
