import { ActionIcon } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { type Source, useDownload, type Wanted } from "./useDownload.ts";

interface Props {
  from: Source;
  wanted: Wanted;
  words: string;
  /** In a row that the Tab key does not come to. */
  isOutOfTab?: boolean;
}

/** Saves something, by an icon beside its name. */
export function SmallDownload({ from, wanted, words, isOutOfTab = false }: Props) {
  const { href, onClick, isPending, error } = useDownload(from, wanted);
  return (
    <ActionIcon
      component="a"
      href={href}
      download
      onClick={onClick}
      loading={isPending}
      variant="subtle"
      color={error === null ? "gray" : "red"}
      tabIndex={isOutOfTab ? -1 : 0}
      aria-label={words}
      title={error === null ? words : error.message}
    >
      <IconDownload size={18} aria-hidden />
    </ActionIcon>
  );
}
