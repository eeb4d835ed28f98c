import { resourceTypes } from "@accession/rules";
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTerm } from "../../ui/useTerm.ts";
import { useMetadataForm } from "../context.ts";
import formClasses from "../Form.module.css";
import { FromFile } from "../import/FromFile.tsx";
import { type EntryProps, type TextField, useEntry } from "../list/useEntry.ts";
import { useField } from "../useField.ts";
import { EntryList } from "./EntryList.tsx";
import { Group } from "./Group.tsx";
import { Part } from "./Part.tsx";
import { TermField } from "./terms/TermField.tsx";

/** The kind of the dataset, the label of its version, and its identifiers in other systems. */
export function KindGroup() {
  const { t } = useTranslation(["new", "metadata"]);
  const { draft, setDescription } = useMetadataForm();
  const { resourceTypeGeneral, resourceType, versionLabel } = draft.description;
  const term = useTerm();
  const field = useField();
  const input = (name: "resourceTypeGeneral" | "resourceType" | "versionLabel"): TextField => ({
    ...field(`/metadata/${name}`),
    label: t(`metadata:${name}`),
    autoComplete: "off",
    value: draft.description[name],
    onChange: ({ currentTarget }) => setDescription({ [name]: currentTarget.value }),
  });
  return (
    <Group
      name="kind"
      lists={["alternateIdentifiers"]}
      members={{
        resourceTypeGeneral: resourceTypeGeneral !== "",
        resourceType: resourceType.trim() !== "",
        versionLabel: versionLabel.trim() !== "",
      }}
    >
      <div className={formClasses.two}>
        <TermField
          {...input("resourceTypeGeneral")}
          terms={[
            { value: "", label: t("more.dataset") },
            ...resourceTypes.map((value) => ({ value, label: term("resourceTypes", value) })),
          ]}
        />
        <TextInput {...input("resourceType")} placeholder={t("more.resourceTypeDetail")} />
      </div>
      <FromFile member="resourceTypeGeneral" />
      <FromFile member="resourceType" />
      <TextInput {...input("versionLabel")} description={t("more.versionLabelDetail")} />
      <FromFile member="versionLabel" />
      <Part title={t("metadata:lists.alternateIdentifiers")}>
        <EntryList
          list="alternateIdentifiers"
          nameOf={({ alternateIdentifier }) => alternateIdentifier}
          kindOf={({ alternateIdentifierType }) => alternateIdentifierType}
          Fields={IdentifierFields}
          additions={[{ label: t("more.add.alternateIdentifiers") }]}
          first="alternateIdentifier"
        />
      </Part>
    </Group>
  );
}

function IdentifierFields(props: EntryProps<"alternateIdentifiers">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("alternateIdentifiers", props);
  return (
    <div className={formClasses.two}>
      <TextInput {...input("alternateIdentifier")} spellCheck={false} />
      <TextInput {...input("alternateIdentifierType")} placeholder={t("more.alternateIdentifierTypeDetail")} />
    </div>
  );
}
