import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCaller } from "../../api/service.ts";
import formClasses from "../../metadata-form/Form.module.css";
import { useField, useTextField } from "../../metadata-form/useField.ts";
import { Help } from "../../ui/CommandHelp.tsx";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import type { DataSource } from "../draft.ts";
import { useForm } from "../form.ts";
import { hasRole } from "../request.ts";
import { filledBy, isTyped, PRESET_NAMES, type Preset } from "./presets.ts";

/** Loaded if the service can assume roles. */
const RoleField = lazyLoaded(() => import("../../role/RoleField.tsx"));

interface SecretProps {
  name: "secretKey" | "sessionToken";
  required?: boolean;
  disabled: boolean;
  autoComplete: string;
  value: string;
  onChange: (value: string) => void;
}

/** Endpoint, bucket and addressing, with presets for common kinds of storage. */
export function Address() {
  const { t } = useTranslation("new");
  const { draft, setDataSource } = useForm();
  const field = useField();
  const text = useTextField();
  const input = (name: "endpoint" | "bucket" | "region") => ({
    ...text(`/s3Access/${name}`, t(`dataSource.${name}`), draft.dataSource[name], (value) =>
      setDataSource({ [name]: value }),
    ),
    autoCapitalize: "none",
    spellCheck: false,
  });
  return (
    <Stack gap="md">
      <Presets />
      <TextInput
        {...input("endpoint")}
        description={t("dataSource.endpointDetail")}
        placeholder="https://s3.example.org"
        required
        inputMode="url"
      />
      <StorageHelp about="endpoint" />
      <TextInput {...input("bucket")} required />
      <StorageHelp about="bucket" />
      <details className={formClasses.fold}>
        <summary>{t("dataSource.addressing")}</summary>
        <div className={formClasses.two}>
          <TextInput {...input("region")} description={t("dataSource.regionDetail")} />
          <NativeSelect
            {...field("/s3Access/pathStyle")}
            label={t("dataSource.style")}
            description={t("dataSource.styleDetail")}
            data={(["auto", "path", "host"] as const).map((value) => ({
              value,
              label: t(`dataSource.styles.${value}`),
            }))}
            value={draft.dataSource.style}
            onChange={({ currentTarget }) => setDataSource({ style: currentTarget.value as DataSource["style"] })}
          />
        </div>
      </details>
    </Stack>
  );
}

function Presets() {
  const { t } = useTranslation("new");
  const { draft, setDataSource } = useForm();
  const { endpoint } = draft.dataSource;
  const [chosen, setChosen] = useState<Preset>();
  const choose = (preset: Preset) => {
    setChosen(preset);
    setDataSource(filledBy(preset, draft.dataSource));
  };
  const replace = chosen === undefined ? t("dataSource.presetsDetail") : t(`presets.${chosen}.replace`);
  return (
    <Stack gap="xs">
      <Text component="h3" size="sm" fw={550} id="presets">
        {t("dataSource.presets")}
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
        {chosen !== undefined && isTyped(endpoint) ? t("dataSource.presetTyped") : replace}
      </Text>
    </Stack>
  );
}

/** The credentials, in fields that password managers recognise. They stay in memory until the tab is closed. */
export function KeyFields() {
  const { t } = useTranslation("new");
  const { keys, setKeys, draft, setDataSource } = useForm();
  const [showsCosts, setShowsCosts] = useState(draft.dataSource.requesterPays);
  const field = useField();
  const role = useTextField()("/s3Access/roleArn", t("dataSource.roleArn"), draft.dataSource.roleArn, (roleArn) =>
    setDataSource({ roleArn }),
  );
  const roleAccess = useCaller()?.roleAccess;
  const isUnused = hasRole(draft.dataSource);
  // A field that is cleared keeps its focus.
  const [hadRole] = useState(isUnused);
  return (
    <Stack gap="md">
      <div className={formClasses.two}>
        <TextInput
          {...field("/s3Access/accessKey")}
          label={t("dataSource.accessKey")}
          required={!isUnused}
          disabled={isUnused}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={keys.accessKey}
          onChange={({ currentTarget }) => setKeys({ accessKey: currentTarget.value })}
        />
        <Secret
          name="secretKey"
          required={!isUnused}
          disabled={isUnused}
          autoComplete="current-password"
          value={keys.secretKey}
          onChange={(secretKey) => setKeys({ secretKey })}
        />
      </div>
      <StorageHelp about="keys" />
      <Text size="sm" c="dimmed">
        {t("dataSource.keysDetail")}
      </Text>
      <details className={formClasses.fold}>
        <summary>{t("dataSource.temporary")}</summary>
        <Secret
          name="sessionToken"
          disabled={isUnused}
          autoComplete="off"
          value={keys.sessionToken}
          onChange={(sessionToken) => setKeys({ sessionToken })}
        />
      </details>
      {(roleAccess != null || hadRole) && <RoleField access={roleAccess} field={role} />}
      <details
        className={formClasses.fold}
        open={showsCosts}
        onToggle={({ currentTarget }) => setShowsCosts(currentTarget.open)}
      >
        <summary>{t("dataSource.costs")}</summary>
        <Checkbox
          {...field("/s3Access/requesterPays")}
          label={t("dataSource.requesterPays")}
          description={t("dataSource.requesterPaysDetail")}
          checked={draft.dataSource.requesterPays}
          onChange={({ currentTarget }) => setDataSource({ requesterPays: currentTarget.checked })}
        />
      </details>
    </Stack>
  );
}

/** A field with a button that shows or hides its value, also by keyboard. */
function Secret({ name, onChange, ...props }: SecretProps) {
  const { t } = useTranslation("new");
  const field = useField();
  const [isShown, setShown] = useState(false);
  return (
    <PasswordInput
      {...field(`/s3Access/${name}`)}
      {...props}
      label={t(`dataSource.${name}`)}
      name={name === "secretKey" ? "password" : undefined}
      spellCheck={false}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        "aria-label": t(isShown ? "dataSource.hide" : "dataSource.show", { what: t(`dataSource.${name}`) }),
        "aria-hidden": false,
        tabIndex: 0,
      }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const PROVIDERS = ["aws", "ceph", "minio", "centre"] as const;

/** Explains a field of the data source, and where each storage provider shows its value. */
function StorageHelp({ about }: { about: "endpoint" | "bucket" | "keys" }) {
  const { t } = useTranslation("new");
  return (
    <Help question={t(`help.${about}.question`)}>
      <p>{t(`help.${about}.what`)}</p>
      {about !== "bucket" && (
        <dl>
          {PROVIDERS.map((provider) => (
            <div key={provider}>
              <dt>{t(`help.names.${provider}`)}</dt>
              <dd>{t(`help.${about}.where.${provider}`)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Help>
  );
}
