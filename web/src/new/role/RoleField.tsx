import "./words.ts";
import type { components } from "@accession/client";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import formClasses from "../../metadata-form/Form.module.css";
import { useTextField } from "../../metadata-form/useField.ts";
import { Copyable } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Section.tsx";
import { useForm } from "../form.ts";

interface Props {
  /** What the trust policy of the role must contain; undefined if the service cannot assume roles. */
  access: components["schemas"]["RoleAccess"] | undefined;
}

/** The role with which the service reads the bucket, and what its trust policy must contain. */
export default function RoleField({ access }: Props) {
  const { t } = useTranslation(["role", "new"]);
  const { draft, setDataSource } = useForm();
  const { roleArn } = draft.dataSource;
  const [isOpen, setOpen] = useState(roleArn !== "");
  const field = useTextField()("/s3Access/roleArn", t("new:dataSource.roleArn"), roleArn, (value) =>
    setDataSource({ roleArn: value }),
  );
  return (
    <details
      className={formClasses.fold}
      open={isOpen || field.error !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t("title")}</summary>
      <div className={formClasses.fields}>
        <Text size="sm" c="dimmed">
          {t(access === undefined ? "off" : "detail")}
        </Text>
        {access !== undefined && (
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
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
    </details>
  );
}
