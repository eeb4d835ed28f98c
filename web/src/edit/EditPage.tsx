import { Anchor, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { metadataStateQuery } from "../api/revisions.ts";
import { useOwner, useQueryState } from "../api/service.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { EditForm } from "./EditForm.tsx";
import { placeOfEdit } from "./edit-store.ts";

/** The page on which the owner of a dataset, curators and admins change its metadata. */
export default function EditPage({ id }: { id: string }) {
  const { t } = useTranslation("edit");
  const owner = useOwner();
  const asked = useQuery(metadataStateQuery(id));
  const trouble = useQueryState(asked);
  return (
    <Stack gap="xl" maw="44rem">
      <PageHeading title={t("title")}>
        <Anchor component={Link} href={`/datasets/${id}`}>
          {t("toDataset")}
        </Anchor>
      </PageHeading>
      {trouble !== undefined && asked.data === undefined && <ProblemAlert {...trouble} />}
      {asked.isPending && <Skeleton height="70vh" />}
      {asked.data !== undefined && owner !== undefined && (
        <EditForm id={id} place={placeOfEdit(owner, id)} latest={asked.data} />
      )}
    </Stack>
  );
}
