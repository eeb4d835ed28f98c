import { Checkbox, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import formClasses from "../Form.module.css";
import { FromFile } from "../import/FromFile.tsx";
import { useField } from "../useField.ts";
import { Group } from "./Group.tsx";

/** The contact for questions about the dataset. */
export function ContactGroup() {
  const { t } = useTranslation("new");
  const { draft, setContact } = useMetadataForm();
  const { name, email, public: isPublic } = draft.contact;
  const field = useField();
  return (
    <Group name="contact" members={{ contact: (name + email).trim() !== "" }}>
      <div className={formClasses.two}>
        <TextInput
          {...field("/metadata/contact/name")}
          label={t("more.contactName")}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setContact({ name: currentTarget.value })}
        />
        <TextInput
          {...field("/metadata/contact/email")}
          label={t("more.contactEmail")}
          type="email"
          autoComplete="off"
          value={email}
          onChange={({ currentTarget }) => setContact({ email: currentTarget.value })}
        />
      </div>
      <Checkbox
        {...field("/metadata/contact/public")}
        label={t("more.contactPublic")}
        description={t("more.contactPublicDetail")}
        checked={isPublic}
        onChange={({ currentTarget }) => setContact({ public: currentTarget.checked })}
      />
      <FromFile member="contact" />
    </Group>
  );
}
