import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Where } from "../draft.ts";
import { useForm } from "../form.ts";
import classes from "../New.module.css";
import { useField } from "../useField.ts";
import { filledBy, isTyped, PRESET_NAMES, type Preset } from "./presets.ts";
import { StorageHelp } from "./StorageHelp.tsx";

/** Endpoint, bucket, and how the one is found at the other; with what is usual where. */
export function Address() {
  const { t } = useTranslation("new");
  const { draft, setWhere } = useForm();
  const { endpoint, bucket, region, style } = draft.where;
  const field = useField();
  return (
    <Stack gap="md">
      <Presets />
      <TextInput
        {...field("/s3Access/endpoint")}
        label={t("where.endpoint")}
        description={t("where.endpointDetail")}
        placeholder="https://s3.example.org"
        required
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={endpoint}
        onChange={({ currentTarget }) => setWhere({ endpoint: currentTarget.value })}
      />
      <StorageHelp about="endpoint" />
      <TextInput
        {...field("/s3Access/bucket")}
        label={t("where.bucket")}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={bucket}
        onChange={({ currentTarget }) => setWhere({ bucket: currentTarget.value })}
      />
      <StorageHelp about="bucket" />
      <details className={classes.fold}>
        <summary>{t("where.finding")}</summary>
        <div className={classes.two}>
          <TextInput
            {...field("/s3Access/region")}
            label={t("where.region")}
            description={t("where.regionDetail")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={region}
            onChange={({ currentTarget }) => setWhere({ region: currentTarget.value })}
          />
          <NativeSelect
            {...field("/s3Access/pathStyle")}
            label={t("where.style")}
            description={t("where.styleDetail")}
            data={(["auto", "path", "host"] as const).map((value) => ({ value, label: t(`where.styles.${value}`) }))}
            value={style}
            onChange={({ currentTarget }) => setWhere({ style: currentTarget.value as Where["style"] })}
          />
        </div>
      </details>
    </Stack>
  );
}

function Presets() {
  const { t } = useTranslation("new");
  const { draft, setWhere } = useForm();
  const { endpoint } = draft.where;
  const [chosen, setChosen] = useState<Preset>();
  const choose = (preset: Preset) => {
    setChosen(preset);
    setWhere(filledBy(preset, draft.where));
  };
  const replace = chosen === undefined ? t("where.presetsDetail") : t(`presets.${chosen}.replace`);
  return (
    <Stack gap="xs">
      <Text component="h3" size="sm" fw={550} id="presets">
        {t("where.presets")}
      </Text>
      <Group gap="xs" role="group" aria-labelledby="presets">
        {PRESET_NAMES.map((preset) => (
          <Button
            key={preset}
            size="xs"
            variant={chosen === preset ? "light" : "default"}
            aria-pressed={chosen === preset}
            onClick={() => choose(preset)}
          >
            {t(`presets.${preset}.name`)}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed" role="status" mih="1.5em">
        {chosen !== undefined && isTyped(endpoint) ? t("where.presetTyped") : replace}
      </Text>
    </Stack>
  );
}
