import { orThrow } from "@accession/client";
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, untilAnswered } from "../api/client.ts";
import { useCaller } from "../api/service.ts";
import "./words.ts";

/** The value for all collections about whose datasets the user decides. Ids of collections have no such character. */
const MINE = "*";

/** The service takes no more in one request. */
const MOST_IN_REQUEST = 200;

interface Props {
  /** The id of a collection, or {@link MINE}; empty for all datasets. */
  value: string;
  onChange: (value: string) => void;
}

/** Restricts the list to the datasets of a collection; nothing if the service has none. */
export function CollectionSelect({ value, onChange }: Props) {
  const { t, i18n } = useTranslation("publications");
  const collections = useCollections();
  const mine = useMine();
  if (collections.length === 0) return null;
  return (
    <NativeSelect
      aria-label={t("collection.label")}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: "", label: t("collection.all") },
        ...(mine.length > 0 || value === MINE ? [{ value: MINE, label: t("collection.mine") }] : []),
        ...collections.map(({ id, name }) => ({ value: id, label: (i18n.language === "de" && name.de) || name.en })),
      ]}
    />
  );
}

/** The ids of the collections for a value; undefined for all datasets. */
export function useChosenCollections(value: string): readonly string[] | undefined {
  const mine = useMine();
  if (value === "") return undefined;
  // Without a collection of the user, the value itself finds nothing.
  return value === MINE && mine.length > 0 ? mine : [value];
}

function useMine(): readonly string[] {
  const owner = useCaller()?.owner;
  const collections = useCollections();
  const idsOf = (isMine: (curators: readonly string[]) => boolean) =>
    // Only curators and admins see who the curators are.
    collections.flatMap(({ id, curators }) => (curators !== undefined && isMine(curators) ? [id] : []));
  const named = idsOf((curators) => curators.some((one) => one === owner));
  // Those without curators belong to all curators.
  const all = idsOf((curators) => curators.length === 0 || curators.some((one) => one === owner));
  return all.length <= MOST_IN_REQUEST ? all : named;
}

function useCollections() {
  const { data = [] } = useQuery({
    queryKey: ["collections"],
    queryFn: async ({ signal }) => orThrow(await api.GET("/collections", { signal: untilAnswered(signal) })),
    staleTime: 60_000,
  });
  return data;
}
