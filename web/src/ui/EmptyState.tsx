import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

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
