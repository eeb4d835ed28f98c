import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { SERVICE_URL } from "../api/client.ts";
import { useCaller, usePublishes, useQueryState } from "../api/service.ts";
import { shortName } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { ConfirmDialog, Dialog } from "../ui/Dialog.tsx";
import { EmptyState } from "../ui/ListParts.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { visible } from "../ui/text/format.ts";
import { focusIfLost } from "../ui/useCaughtFocus.ts";
import { EditCollection, NewCollection } from "./CollectionForm.tsx";
import classes from "./Collections.module.css";
import { type Collection, collectionsQuery, useDelete } from "./collections.ts";
import "./words.ts";

/** All collections. Admins create, edit and delete them. */
export default function CollectionsPage() {
  const { t } = useTranslation("collections");
  const isAdmin = useCaller()?.roles.includes("admin") ?? false;
  const found = useQuery(collectionsQuery);
  const trouble = useQueryState(found);
  const [isCreating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Collection>();
  const [deleted, setDeleted] = useState<Collection>();
  const nameOf = useName();
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    setCreating(false);
    setEdited(undefined);
    setDeleted(undefined);
    deleting.reset();
    // The button that opened the dialog has disappeared with its collection.
    focusIfLost(list);
  };
  const deleting = useDelete(close);
  const collections = found.data;
  return (
    <Stack gap="lg">
      <PageHeading title={t("title")}>
        {isAdmin && <Button onClick={() => setCreating(true)}>{t("create")}</Button>}
      </PageHeading>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {collections === undefined && trouble === undefined && <Skeleton height={360} aria-hidden />}
      <div ref={list} tabIndex={-1}>
        {collections?.length === 0 && (
          <EmptyState title={t("none.title")} detail={t(isAdmin ? "none.detail" : "none.readers")} />
        )}
        {collections !== undefined && collections.length > 0 && (
          <ul className={common.list} aria-label={t("title")}>
            {collections.map((one) => (
              <li key={one.id} className={classes.row}>
                <Described collection={one} />
                {isAdmin && (
                  <Group gap="xs">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t("editOne", { name: nameOf(one) })}
                      onClick={() => setEdited(one)}
                    >
                      {t("edit")}
                    </Button>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t("deleteOne", { name: nameOf(one) })}
                      onClick={() => setDeleted(one)}
                    >
                      {t("delete")}
                    </Button>
                  </Group>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {/* Rendered also while they are closed, so that the focus returns to the buttons that opened them. */}
      <Dialog isOpen={isCreating} title={t("create")} size="lg" isGrowing onClose={close}>
        {isCreating && <NewCollection known={collections ?? []} onClose={close} />}
      </Dialog>
      <Dialog isOpen={edited !== undefined} title={t("editTitle")} size="lg" isGrowing onClose={close}>
        {edited !== undefined && <EditCollection id={edited.id} onClose={close} />}
      </Dialog>
      <ConfirmDialog
        isOpen={deleted !== undefined}
        title={t("deletion.title")}
        detail={deleted === undefined ? "" : t("deletion.detail", { name: nameOf(deleted), count: deleted.datasets })}
        confirm={t("deletion.confirm")}
        isDangerous
        isBusy={deleting.isPending}
        onConfirm={() => deleted !== undefined && deleting.mutate(deleted.id)}
        onClose={close}
        error={deleting.error}
      />
    </Stack>
  );
}

/** A collection with what decides about its datasets, and where they are. */
function Described({ collection }: { collection: Collection }) {
  const { t } = useTranslation("collections");
  const nameOf = useName();
  const publishes = usePublishes();
  const { id, datasets, licences, curators = [] } = collection;
  const names = curators.map(shortName).join(", ");
  return (
    <div className={common.entry}>
      <span className={classes.name}>
        {publishes ? (
          <Anchor href={`${SERVICE_URL}collections/${id}`} inherit>
            {nameOf(collection)}
          </Anchor>
        ) : (
          nameOf(collection)
        )}
      </span>
      <span className={common.small}>
        <code>{id}</code> · {t("datasets", { count: datasets })} ·{" "}
        {curators.length === 0 ? t("allCurators") : <bdi>{t("curators", { names: visible(names) })}</bdi>} ·{" "}
        {licences.length === 0 ? t("allLicences") : t("licences", { names: licences.join(", ") })}
      </span>
      <Anchor component={Link} href={`/publications?collection=${id}`} size="sm">
        {t("publications")}
      </Anchor>
    </div>
  );
}

function useName(): (collection: Collection) => string {
  const { i18n } = useTranslation();
  return ({ name }) => visible((i18n.language === "de" && name.de) || name.en);
}
