import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Sort } from "../api/submissions.ts";
import { SORTS } from "./filter.ts";

/** How the list is sorted, where there are no columns to say so. */
export function SortChoice({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const { t } = useTranslation("submissions");
  return (
    <NativeSelect
      label={t("sort.label")}
      value={sort}
      onChange={({ currentTarget }) => onSort(SORTS.find((one) => one === currentTarget.value) ?? sort)}
      data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
    />
  );
}
