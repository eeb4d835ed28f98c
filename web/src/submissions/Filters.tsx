import { Group, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SubmissionFilter } from "../api/submissions.ts";
import { SearchField } from "../ui/SearchField.tsx";
import { STATUSES } from "./filter.ts";

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
      <SearchField
        label={t("search")}
        detail={t("searchDetail")}
        value={filter.q}
        onChange={(q) => onChange({ ...filter, q })}
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
