import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFieldGroups } from "../../api/field-groups.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { useMetadataForm } from "../context.ts";
import { fieldId } from "../entries/pointers.ts";
import { FoldedGroup } from "../more/FoldedGroup.tsx";
import { useFieldTexts } from "./useFieldTexts.ts";
import { countValues } from "./values.ts";

/** Loaded on demand, because few services define fields. */
const OwnFields = lazyLoaded(() => import("./OwnFields.tsx"));

/** The groups of fields that the operator has defined. Values of groups that no longer exist can be removed. */
export function OwnGroups() {
  const { draft } = useMetadataForm();
  const groups = useFieldGroups();
  const { titleOf, descriptionOf } = useFieldTexts();
  if (groups === undefined) return null;
  const retired = Object.keys(draft.ownFields).filter((name) => !groups.some((group) => group.name === name));
  return (
    <>
      {groups.map((group) => {
        const pointer = `/metadata/fields/${group.name}`;
        const description = descriptionOf(group);
        return (
          <FoldedGroup
            key={group.name}
            id={fieldId(pointer)}
            title={titleOf(group)}
            count={countValues(draft.ownFields[group.name] ?? {})}
            pointers={[pointer]}
            {...(description !== undefined && { detail: description })}
          >
            <OwnFields group={group} />
          </FoldedGroup>
        );
      })}
      <CommentsAt member="fields" />
      {retired.map((name) => (
        <RetiredGroup key={name} name={name} />
      ))}
    </>
  );
}

/** Values of a group that the operator has removed. An archived dataset keeps them; a new submission cannot have them. */
function RetiredGroup({ name }: { name: string }) {
  const { t } = useTranslation("new");
  const { setOwnFields } = useMetadataForm();
  const pointer = `/metadata/fields/${name}`;
  const { formErrors } = useMetadataForm();
  const isRefused = formErrors.some((formError) => formError.pointer === pointer);
  return (
    <FoldedGroup title={t("own.retired", { name })} count={0} pointers={[pointer]}>
      <Text my="1em">{t(isRefused ? "own.retiredRefused" : "own.retiredKept")}</Text>
      <Button id={fieldId(pointer)} variant="default" onClick={() => setOwnFields(name, () => ({}))}>
        {t("own.remove", { name })}
      </Button>
    </FoldedGroup>
  );
}
