import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../../api/metadata.ts";

type Place = NonNullable<FurtherMetadata["geoLocations"]>[number];

/** Gives the coordinates of a place in words; empty if it has none. */
export function usePlaceWords(): (place: Place) => string {
  const { t, i18n } = useTranslation("dataset");
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 5 });
  const latitude = (value: number) =>
    t(value < 0 ? "about.south" : "about.north", { degrees: number.format(Math.abs(value)) });
  const longitude = (value: number) =>
    t(value < 0 ? "about.west" : "about.east", { degrees: number.format(Math.abs(value)) });
  return ({ geoLocationPoint: point, geoLocationBox: box }) =>
    [
      point &&
        t("about.point", { latitude: latitude(point.pointLatitude), longitude: longitude(point.pointLongitude) }),
      box &&
        t("about.box", {
          south: latitude(box.southBoundLatitude),
          north: latitude(box.northBoundLatitude),
          west: longitude(box.westBoundLongitude),
          east: longitude(box.eastBoundLongitude),
        }),
    ]
      .filter((one) => one !== undefined)
      .join(" · ");
}
