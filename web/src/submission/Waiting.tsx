import { Skeleton, Stack } from "@mantine/core";

/** Before the first answer, in the shape of what comes. */
export function Waiting() {
  return (
    <Stack gap="xl" aria-hidden>
      <Skeleton height={20} maw="32rem" />
      <Skeleton height={56} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  );
}
