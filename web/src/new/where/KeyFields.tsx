import { PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useForm } from "../form.ts";
import classes from "../New.module.css";
import { useField } from "../useField.ts";
import { StorageHelp } from "./StorageHelp.tsx";

/** The keys, in fields that password managers know. They stay in memory, and are gone with the tab. */
export function KeyFields() {
  const { t } = useTranslation("new");
  const { keys, setKeys } = useForm();
  const field = useField();
  return (
    <Stack gap="md">
      <div className={classes.two}>
        <TextInput
          {...field("/s3Access/accessKey")}
          label={t("where.accessKey")}
          required
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={keys.accessKey}
          onChange={({ currentTarget }) => setKeys({ accessKey: currentTarget.value })}
        />
        <Secret
          name="secretKey"
          required
          autoComplete="current-password"
          value={keys.secretKey}
          onChange={(secretKey) => setKeys({ secretKey })}
        />
      </div>
      <StorageHelp about="keys" />
      <Text size="sm" c="dimmed">
        {t("where.keysDetail")}
      </Text>
      <details className={classes.fold}>
        <summary>{t("where.temporary")}</summary>
        <Secret
          name="sessionToken"
          autoComplete="off"
          value={keys.sessionToken}
          onChange={(sessionToken) => setKeys({ sessionToken })}
        />
      </details>
    </Stack>
  );
}

interface SecretProps {
  name: "secretKey" | "sessionToken";
  required?: boolean;
  autoComplete: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field whose content can be shown and hidden, by keyboard, too. */
function Secret({ name, onChange, ...props }: SecretProps) {
  const { t } = useTranslation("new");
  const field = useField();
  const [isShown, setShown] = useState(false);
  return (
    <PasswordInput
      {...field(`/s3Access/${name}`)}
      {...props}
      label={t(`where.${name}`)}
      name={name === "secretKey" ? "password" : undefined}
      spellCheck={false}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        "aria-label": t(isShown ? "where.hide" : "where.show", { what: t(`where.${name}`) }),
        "aria-hidden": false,
        tabIndex: 0,
      }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
