import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import { isFilled, type ListName } from "../entries/lists.ts";
import { FoldedGroup } from "./FoldedGroup.tsx";

type GroupName = "texts" | "related" | "funding" | "coverage" | "subjects" | "kind" | "contact" | "licences";

interface Props {
  name: GroupName;
  lists?: readonly ListName[];
  /** Further members of the metadata in the group, and whether they have an entry. */
  members?: Readonly<Record<string, boolean>>;
  children: ReactNode;
}

/** A group of optional entries. Its heading states what it contains. */
export function Group({ name, lists = [], members = {}, children }: Props) {
  const { t } = useTranslation("new");
  const { draft } = useMetadataForm();
  const inLists = lists.flatMap((list) => draft.lists[list].filter(isFilled)).length;
  return (
    <FoldedGroup
      title={t(`more.groups.${name}.title`)}
      detail={t(`more.groups.${name}.detail`)}
      count={inLists + Object.values(members).filter((isSet) => isSet).length}
      pointers={[...lists, ...Object.keys(members)].map((member) => `/metadata/${member}`)}
    >
      {children}
    </FoldedGroup>
  );
}
