import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useOpenComments } from "../../comments/context.ts";
import { useMetadataForm } from "../context.ts";
import { isWithin } from "../entries/pointers.ts";
import classes from "./More.module.css";

interface Props {
  title: string;
  /** An explanation below the title. */
  detail?: string;
  /** The number of entries. */
  count: number;
  /** The members of the request that the group contains. */
  pointers: readonly string[];
  /** The id of the group, if errors lead to the group itself. */
  id?: string;
  children: ReactNode;
}

/** A collapsed group of fields. Its heading states how many entries and errors it has. */
export function FoldedGroup({ title, detail, count, pointers, id, children }: Props) {
  const { t } = useTranslation("new");
  const { formErrors } = useMetadataForm();
  const comments = useOpenComments()?.threads ?? [];
  const isHere = (pointer: string) => pointers.some((outer) => isWithin(pointer, outer));
  const asked = comments.filter(
    ({ entry: { place } }) => place !== null && "field" in place && isHere(`/metadata${place.field}`),
  ).length;
  const errors = formErrors.filter(({ pointer }) => isHere(pointer)).length;
  return (
    <details className={classes.group}>
      <summary {...(id !== undefined && { id })}>
        <span className={classes.name}>{title}</span>
        <span className={classes.count}>
          {count > 0 && t("more.entries", { count })}
          {asked > 0 && (
            <>
              {count > 0 && " · "}
              {t("openComments", { ns: "dataset", count: asked })}
            </>
          )}
          {errors > 0 && (
            <span className={classes.errors}>
              {(count > 0 || asked > 0) && " · "}
              {t("list.errors", { count: errors })}
            </span>
          )}
        </span>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </summary>
      <Stack gap="xl" className={classes.content}>
        {children}
      </Stack>
    </details>
  );
}

/** A part of a group or of the fields of an entry, with a heading. @param detail an explanation below the heading */
export function Part({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <div>
      <h4 className={classes.part}>{title}</h4>
      {detail !== undefined && <p className={classes.partDetail}>{detail}</p>}
      {children}
    </div>
  );
}
