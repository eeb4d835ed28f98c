import { Stack } from "@mantine/core";
import type { FieldGroup } from "../../api/field-groups.ts";
import { useMetadataForm } from "../context.ts";
import { OwnField } from "./OwnField.tsx";
import { withValue } from "./values.ts";

/** The fields of one group. */
export default function OwnFields({ group }: { group: FieldGroup }) {
  const { draft, setOwnFields } = useMetadataForm();
  const values = draft.ownFields[group.name] ?? {};
  return (
    <Stack gap="md">
      {group.fields.map((field) => (
        <OwnField
          key={field.name}
          field={field}
          pointer={`/metadata/fields/${group.name}/${field.name}`}
          value={values[field.name]}
          // The newest values: two changes can come before the next rendering.
          onChange={(next) => setOwnFields(group.name, (now) => withValue(now, field.name, next))}
        />
      ))}
    </Stack>
  );
}
