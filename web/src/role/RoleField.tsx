import "./words.ts";
import type { components } from "@accession/client";
import { Text, TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import formClasses from "../metadata-form/Form.module.css";
import { Copyable } from "../ui/CopyButton.tsx";
import { Facts } from "../ui/Section.tsx";

interface Props {
  /** What the trust policy of the role must contain; null if the service cannot assume roles, undefined until it is known. */
  access: components["schemas"]["RoleAccess"] | null | undefined;
  /** The field for the ARN of the role. */
  field: TextInputProps;
}

/** The role with which the service reads a bucket, and what its trust policy must contain. */
export default function RoleField({ access, field }: Props) {
  const { t } = useTranslation("role");
  const [isOpen, setOpen] = useState(field.value !== "");
  return (
    <details
      className={formClasses.fold}
      open={isOpen || typeof field.error === "string"}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t("title")}</summary>
      <div className={formClasses.fields}>
        <Text size="sm" c="dimmed">
          {t(access === null ? "off" : "detail")}
        </Text>
        {access != null && (
          <Facts
            facts={[
              [t("principal"), <Copyable key="p" text={access.principal} what={t("principal")} />],
              [t("externalId"), <Copyable key="e" text={access.externalId} what={t("externalId")} />],
            ]}
          />
        )}
        <TextInput
          {...field}
          description={t("field")}
          placeholder="arn:aws:iam::123456789012:role/NAME"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
    </details>
  );
}
