import { Center, Stack, Text, TextInput, Title } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";

/** Maximum length of a search text; the service rejects longer ones. */
export const MOST_LETTERS = 1_000;

interface Props {
  label: string;
  /** Names the members that are searched. */
  detail: string;
  value: string;
  onChange: (value: string) => void;
}

/** The search field of a list. */
export function SearchField({ label, detail, value, onChange }: Props) {
  return (
    <TextInput
      type="search"
      flex="1 1 14rem"
      maw="26rem"
      aria-label={label}
      placeholder={label}
      description={detail}
      inputWrapperOrder={["label", "input", "description", "error"]}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={value}
      maxLength={MOST_LETTERS}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Fetches the next page of a list, if there is one. */
export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreButtonProps) {
  const { t } = useTranslation("ui");
  if (!hasNextPage) return null;
  return (
    <Center>
      <BusyButton variant="default" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t("more")}
      </BusyButton>
    </Center>
  );
}

/** The content of an empty list: why it is empty, and the first step. */
export function EmptyState({ title, detail, children }: { title: string; detail: string; children?: ReactNode }) {
  return (
    <Stack align="flex-start" gap="md" py="xl" maw="42rem">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" lh={1.6}>
        {detail}
      </Text>
      {children}
    </Stack>
  );
}
