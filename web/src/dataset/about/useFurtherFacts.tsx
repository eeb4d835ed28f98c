import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PackageMetadata } from "../../api/metadata.ts";
import { useWithComments } from "../../comments/useWithComments.tsx";
import common from "../../ui/Common.module.css";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { useTerm } from "../../ui/text/useTerm.ts";
import classes from "../Dataset.module.css";
import { OutsideLink } from "./RelatedWorks.tsx";

type Fact = [term: string, said: ReactNode];
type Line = [said: ReactNode, explanation: ReactNode];
type List = "licenses" | "titles" | "subjectTerms" | "dates" | "geoLocations" | "alternateIdentifiers";
type Entry<Member extends List> = NonNullable<PackageMetadata[Member]>[number];

/** The optional metadata as terms and values, by the place where the page shows them. */
export function useFurtherFacts(
  further: PackageMetadata,
): Record<"licences" | "described" | "contact" | "identifiers", Fact[]> {
  const { t } = useTranslation("metadata");
  const { t: about } = useTranslation("dataset");
  const { calendarDay } = useFormats();
  const term = useTerm();
  const wordsOfPlace = usePlaceWords();
  const withComments = useWithComments();
  const { contact, resourceType, resourceTypeGeneral, versionLabel } = further;
  const kind = resourceTypeGeneral === undefined ? undefined : term("resourceTypeGeneral", resourceTypeGeneral);
  return {
    licences: [
      list("licenses", ({ license: { name, url }, appliesTo }) => [<Linked key="l" name={name} to={url} />, appliesTo]),
    ],
    described: [
      list("titles", ({ title, titleType }) => [<Name key="t">{title}</Name>, term("titleType", titleType)]),
      list("subjectTerms", ({ subject, subjectScheme, valueUri }) => [
        <Linked key="s" name={subject} to={valueUri} />,
        subjectScheme,
      ]),
      [t("resourceTypeGeneral"), withComments("resourceTypeGeneral", visible(joined(kind, resourceType)))],
      list("dates", ({ date, dateType, dateInformation }) => [
        periodOf(date),
        joined(term("dateType", dateType), dateInformation),
      ]),
      list("geoLocations", (place) => [
        place.geoLocationPlace === undefined ? undefined : <Name key="p">{place.geoLocationPlace}</Name>,
        wordsOfPlace(place),
      ]),
      [t("versionLabel"), withComments("versionLabel", versionLabel && visible(versionLabel))],
    ],
    contact: [
      [
        t("contact"),
        withComments(
          "contact",
          contact &&
            lines([[contact.name && <Name key="n">{contact.name}</Name>, <Name key="m">{contact.email}</Name>]]),
        ),
      ],
    ],
    identifiers: [
      list("alternateIdentifiers", ({ alternateIdentifier: name, alternateIdentifierType: type }) => [
        <Linked key="i" name={name} to={name} />,
        type,
      ]),
    ],
  };
  /** The entries of a list, each with an explanation. */
  function list<Member extends List>(member: Member, shown: (entry: Entry<Member>) => Line): Fact {
    const entries = (further[member] ?? []) as Entry<Member>[];
    return [t(`lists.${member as List}`), withComments(member, lines(entries.map(shown)))];
  }
  /** A date, or a period such as `2024-05/2024-07`, `2024/` and `/2024`. */
  function periodOf(text: string): string {
    const [from = "", until] = text.split("/").map(calendarDay);
    if (until === undefined) return from;
    if (from === "") return about("about.until", { date: until });
    return until === "" ? about("about.since", { date: from }) : about("about.period", { from, until });
  }
}

function joined(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(" · ");
}

/** A name that leads to its web address, if it has one. */
function Linked({ name, to }: { name: string; to: string | undefined }) {
  return (
    <OutsideLink href={to}>
      <Name>{name}</Name>
    </OutsideLink>
  );
}

/** Values with an explanation below each. Nothing without a value. */
function lines(values: readonly Line[]): ReactNode {
  if (values.length === 0) return undefined;
  return values.map(([said, explanation], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the values never changes here.
    <span key={index} className={classes.value}>
      {said}
      {explanation !== undefined && explanation !== "" && <span className={common.small}>{explanation}</span>}
    </span>
  ));
}

type Place = NonNullable<PackageMetadata["geoLocations"]>[number];

/** Gives the coordinates of a place in words; empty if it has none. */
function usePlaceWords(): (place: Place) => string {
  const { t, i18n } = useTranslation("dataset");
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 5 });
  const latitude = (value: number) =>
    t(value < 0 ? "about.south" : "about.north", { degrees: number.format(Math.abs(value)) });
  const longitude = (value: number) =>
    t(value < 0 ? "about.west" : "about.east", { degrees: number.format(Math.abs(value)) });
  return ({ geoLocationPoint: point, geoLocationBox: box }) =>
    joined(
      point &&
        t("about.point", { latitude: latitude(point.pointLatitude), longitude: longitude(point.pointLongitude) }),
      box &&
        t("about.box", {
          south: latitude(box.southBoundLatitude),
          north: latitude(box.northBoundLatitude),
          west: longitude(box.westBoundLongitude),
          east: longitude(box.eastBoundLongitude),
        }),
    );
}
