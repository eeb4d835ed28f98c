import { orThrow } from "@accession/client";
import { Checkbox, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, untilAnswered } from "../../api/client.ts";
import "../words.ts";

interface Props {
  /** Ids of the chosen collections. */
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
}

/** The collections for which the owner asks; nothing if the service has none. */
export function CollectionsField({ value, onChange, error }: Props) {
  const { t, i18n } = useTranslation("publication");
  const { data: collections } = useQuery({
    queryKey: ["collections"],
    queryFn: async ({ signal }) => orThrow(await api.GET("/collections", { signal: untilAnswered(signal) })),
    staleTime: 60_000,
  });
  if (collections === undefined) return null;
  // Those that were deleted since the last request can be left out.
  const gone = value.filter((id) => collections.every((one) => one.id !== id));
  if (collections.length + gone.length === 0) return null;
  return (
    <Checkbox.Group
      size="md"
      label={t("request.collections")}
      description={t("request.collectionsHint")}
      value={[...value]}
      onChange={onChange}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {collections.map(({ id, name, licences }) => (
          <Checkbox
            key={id}
            size="md"
            value={id}
            label={(i18n.language === "de" && name.de) || name.en}
            description={licences.length > 0 && t("request.collectionLicences", { licences: licences.join(", ") })}
          />
        ))}
        {gone.map((id) => (
          <Checkbox key={id} size="md" value={id} label={id} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
