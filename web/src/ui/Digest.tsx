import { Code, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyButton } from "./CopyButton.tsx";

const SHOWN = 12;

/** A digest by its beginning, the whole of it to copy. */
export function Digest({ sha512 }: { sha512: string }) {
  const { t } = useTranslation("ui");
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Code title={sha512}>{sha512.slice(0, SHOWN)}…</Code>
      <CopyButton text={sha512} what={t("digest")} />
    </Group>
  );
}
