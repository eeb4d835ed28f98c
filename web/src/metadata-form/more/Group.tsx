import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import { isFilled, type ListName } from "../entries/lists.ts";
import { isWithin } from "../entries/pointers.ts";
import classes from "./More.module.css";

type GroupName = "texts" | "related" | "funding" | "coverage" | "subjects" | "kind" | "contact" | "licences";

interface Props {
  name: GroupName;
  lists?: readonly ListName[];
  /** Further members of the metadata in the group, and whether they have an entry. */
  members?: Readonly<Record<string, boolean>>;
  children: ReactNode;
}

/** A group of optional entries, collapsed at first. Its heading states what it contains and how many entries it has. */
export function Group({ name, lists = [], members = {}, children }: Props) {
  const { t } = useTranslation("new");
  const { draft, formErrors } = useMetadataForm();
  const inLists = lists.flatMap((list) => draft.lists[list].filter(isFilled)).length;
  const count = inLists + Object.values(members).filter((isSet) => isSet).length;
  const pointers = [...lists, ...Object.keys(members)].map((member) => `/metadata/${member}`);
  const errors = formErrors.filter(({ pointer }) => pointers.some((outer) => isWithin(pointer, outer))).length;
  return (
    <details className={classes.group}>
      <summary>
        <span className={classes.name}>{t(`more.groups.${name}.title`)}</span>
        <span className={classes.count}>
          {count > 0 && t("more.entries", { count })}
          {errors > 0 && (
            <span className={classes.errors}>
              {count > 0 && " · "}
              {t("list.errors", { count: errors })}
            </span>
          )}
        </span>
        <span className={classes.detail}>{t(`more.groups.${name}.detail`)}</span>
      </summary>
      <Stack gap="xl" className={classes.content}>
        {children}
      </Stack>
    </details>
  );
}
