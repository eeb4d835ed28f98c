import { Checkbox, ScrollArea, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";

interface Props {
  objects: readonly { key: string; message: string }[];
  /** Keys that are not left out. */
  kept: ReadonlySet<string>;
  onChange: (kept: ReadonlySet<string>) => void;
}

/** So many can be chosen one by one; with more, nobody would. */
const NAMED = 100;

/** Which of the unreadable objects are meant: all of them, unless somebody says otherwise. */
export function UnreadableChoice({ objects, kept, onChange }: Props) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const toggle = (key: string) => {
    const next = new Set(kept);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  const all = () => onChange(kept.size === 0 ? new Set(objects.map(({ key }) => key)) : new Set());
  const more = objects.length - NAMED;
  return (
    <Stack gap="xs">
      <Checkbox
        label={t("exclude.all", { count: objects.length, shown: count(objects.length) })}
        checked={kept.size === 0}
        indeterminate={kept.size > 0 && kept.size < objects.length}
        onChange={all}
        fw={600}
      />
      <ScrollArea.Autosize
        mah="15rem"
        type="auto"
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": t("exclude.objects") }}
      >
        <Stack gap="xs" pl="xl">
          {objects.slice(0, NAMED).map(({ key, message }) => (
            <Checkbox
              key={key}
              label={<Name>{key}</Name>}
              description={message}
              checked={!kept.has(key)}
              onChange={() => toggle(key)}
              styles={{ label: { overflowWrap: "anywhere" } }}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {more > 0 && kept.size === 0 && (
        <Text size="sm" c="dimmed">
          {t("exclude.more", { count: more, shown: count(more) })}
        </Text>
      )}
    </Stack>
  );
}
