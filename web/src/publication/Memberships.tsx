import { orThrow } from "@accession/client";
import { Anchor, Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, SERVICE_URL } from "../api/client.ts";
import { type Publication, publicationQuery, refreshDataset } from "../api/publications.ts";
import { queries } from "../api/queries.ts";
import common from "../ui/Common.module.css";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { visible } from "../ui/text/format.ts";
import "./words.ts";

type Membership = Publication["memberOf"][number];

interface Props {
  publication: Publication;
  /** Called when the dataset was removed, and the button with the focus may have disappeared. */
  onRemoved: () => void;
}

/** The collections to which the dataset belongs. Its owner, and curators of a collection, can remove it. */
export function Memberships({ publication, onRemoved }: Props) {
  const { t } = useTranslation("publication");
  const nameOf = useCollectionName();
  const { memberOf } = publication;
  const [left, setLeft] = useState<Membership>();
  const removing = useRemoval(publication, () => {
    setLeft(undefined);
    onRemoved();
  });
  const close = () => {
    removing.reset();
    setLeft(undefined);
  };
  return (
    <>
      <ul className={common.list} aria-label={t("facts.memberOf")}>
        {memberOf.map((one) => (
          <li key={one.id}>
            <Anchor href={`${SERVICE_URL}collections/${one.id}`}>{nameOf(one)}</Anchor>{" "}
            {one.canRemove && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t("memberships.removeFrom", { name: nameOf(one) })}
                onClick={() => setLeft(one)}
              >
                {t("memberships.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={left !== undefined}
        title={t("memberships.title")}
        detail={left === undefined ? "" : t("memberships.detail", { name: nameOf(left) })}
        confirm={t("memberships.remove")}
        isDangerous
        isBusy={removing.isPending}
        onConfirm={() => left !== undefined && removing.mutate(left.id)}
        onClose={close}
        error={removing.error}
      />
    </>
  );
}

function useCollectionName(): (collection: Membership) => string {
  const { i18n } = useTranslation();
  return ({ name }) => visible((i18n.language === "de" && name.de) || name.en);
}

function useRemoval({ dataset, version }: Publication, onRemoved: () => void) {
  const { queryKey } = publicationQuery(dataset, version);
  return useMutation({
    mutationFn: async (id: string) => {
      orThrow(await api.DELETE("/collections/{id}/datasets/{dataset}", { params: { path: { id, dataset } } }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      refreshDataset(dataset);
      onRemoved();
    },
  });
}
