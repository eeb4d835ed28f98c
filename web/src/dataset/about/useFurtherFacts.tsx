import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../../api/metadata.ts";
import { useFormats, visible } from "../../ui/format.ts";
import { Name } from "../../ui/Name.tsx";
import { useTerm } from "../../ui/useTerm.ts";
import classes from "../Dataset.module.css";
import { OutsideLink } from "./OutsideLink.tsx";
import { usePlaceWords } from "./usePlaceWords.ts";

type Fact = [term: string, said: ReactNode];

/** The optional metadata as terms and values, by the place where the page shows them. */
export function useFurtherFacts(
  further: FurtherMetadata,
): Record<"licences" | "described" | "contact" | "identifiers", Fact[]> {
  const { t } = useTranslation("metadata");
  const { t: about } = useTranslation("dataset");
  const { calendarDay } = useFormats();
  const term = useTerm();
  const wordsOfPlace = usePlaceWords();
  const {
    titles = [],
    dates = [],
    geoLocations = [],
    subjectTerms = [],
    alternateIdentifiers = [],
    licenses = [],
  } = further;
  const { contact, resourceType, resourceTypeGeneral, versionLabel } = further;
  const kind = resourceTypeGeneral === undefined ? undefined : term("resourceTypeGeneral", resourceTypeGeneral);
  return {
    licences: [
      [
        t("lists.licenses"),
        lines(
          licenses.map(({ license: { name, url }, appliesTo }) => [
            <OutsideLink key="l" href={url}>
              <Name>{name}</Name>
            </OutsideLink>,
            appliesTo,
          ]),
        ),
      ],
    ],
    described: [
      [
        t("lists.titles"),
        lines(titles.map(({ title, titleType }) => [<Name key="t">{title}</Name>, term("titleType", titleType)])),
      ],
      [
        t("lists.subjectTerms"),
        lines(
          subjectTerms.map(({ subject, subjectScheme, valueUri }) => [
            <OutsideLink key="s" href={valueUri}>
              <Name>{subject}</Name>
            </OutsideLink>,
            subjectScheme,
          ]),
        ),
      ],
      [
        t("resourceTypeGeneral"),
        [kind, resourceType]
          .filter((one) => one !== undefined)
          .map(visible)
          .join(" · "),
      ],
      [
        t("lists.dates"),
        lines(
          dates.map(({ date, dateType, dateInformation }) => [
            periodOf(date),
            [term("dateType", dateType), dateInformation].filter((one) => one !== undefined).join(" · "),
          ]),
        ),
      ],
      [
        t("lists.geoLocations"),
        lines(
          geoLocations.map((place) => [
            place.geoLocationPlace === undefined ? undefined : <Name key="p">{place.geoLocationPlace}</Name>,
            wordsOfPlace(place),
          ]),
        ),
      ],
      [t("versionLabel"), versionLabel && visible(versionLabel)],
    ],
    contact: [
      [
        t("contact"),
        contact && lines([[contact.name && <Name key="n">{contact.name}</Name>, <Name key="m">{contact.email}</Name>]]),
      ],
    ],
    identifiers: [
      [
        t("lists.alternateIdentifiers"),
        lines(
          alternateIdentifiers.map(({ alternateIdentifier, alternateIdentifierType }) => [
            <OutsideLink key="i" href={alternateIdentifier}>
              <Name>{alternateIdentifier}</Name>
            </OutsideLink>,
            alternateIdentifierType,
          ]),
        ),
      ],
    ],
  };
  /** A date, or a period such as `2024-05/2024-07`, `2024/` and `/2024`. */
  function periodOf(text: string): string {
    const [from = "", until] = text.split("/").map(calendarDay);
    if (until === undefined) return from;
    if (from === "") return about("about.until", { date: until });
    return until === "" ? about("about.since", { date: from }) : about("about.period", { from, until });
  }
}

/** Values with an explanation below each. Nothing without a value. */
function lines(values: [said: ReactNode, explanation: ReactNode][]): ReactNode {
  if (values.length === 0) return undefined;
  return values.map(([said, explanation], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the values never changes here.
    <span key={index} className={classes.value}>
      {said}
      {explanation !== undefined && explanation !== "" && <span className={classes.small}>{explanation}</span>}
    </span>
  ));
}
