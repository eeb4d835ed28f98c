import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { DATA } from "../api/datasets.ts";
import type { Place } from "../api/publications.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { visible } from "../ui/text/format.ts";
import "../publication/words.ts";

interface Props {
  place: Place;
  dataset: string;
  version: number;
  /** Whether the user may change the metadata now. */
  mayEdit: boolean;
}

/** A metadata field or a file that a comment or a finding is about: a link to it. */
export function PlaceLink({ place, dataset, version, mayEdit }: Props) {
  const { t } = useTranslation("publication");
  const nameOf = usePlaceName();
  if ("file" in place) {
    return (
      <Anchor component={Link} href={addressOfFile(dataset, version, place.file)} inherit>
        {t("place.file", { name: nameOf(place) })}
      </Anchor>
    );
  }
  const name = nameOf(place);
  if (!mayEdit) return <span>{t("place.field", { name })}</span>;
  return (
    <Anchor component={Link} href={`/datasets/${dataset}/edit?${new URLSearchParams({ field: place.field })}`} inherit>
      {t("place.edit", { name })}
    </Anchor>
  );
}

/** Gives the label of a metadata field, by its JSON Pointer such as `/authors/0`, or the path of a file. */
export function usePlaceName(): (place: Place) => string {
  const { t } = useTranslation("publication");
  const nameOf = useMemberName();
  return (place) => {
    if ("file" in place) return visible(place.file);
    const [, member = "", index] = place.field.split("/");
    if (member === "fields") return visible(nameOf(place.field.slice(1)));
    const name = visible(nameOf(member));
    return /^\d+$/.test(index ?? "") ? t("place.entry", { name, number: Number(index) + 1 }) : name;
  };
}

function addressOfFile(dataset: string, version: number, path: string): string {
  const isFolder = path.endsWith("/");
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const params = new URLSearchParams({
    version: String(version),
    ...(folder !== DATA && { folder }),
    ...(!isFolder && { file: path }),
  });
  return `/datasets/${dataset}?${params}`;
}
