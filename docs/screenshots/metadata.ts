import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import type { Metadata } from "../../src/describe/metadata/schema.ts";

/** Metadata of the demo dataset with optional entries. Grant, article and place are fictitious, like the dataset. */
export const SCREENSHOT_METADATA = {
  ...DEMO_METADATA,
  titles: [
    {
      title: "Weizen unter zwei Bewässerungen: Messungen an Boden, Blatt und Wurzel, 2026",
      titleType: "TranslatedTitle",
      language: "de",
    },
  ],
  descriptions: [
    {
      description:
        "Sensors in two depths of each plot measured soil moisture every hour. Leaves were photographed weekly at noon, from a distance of 40 cm. Roots were washed and scanned after the harvest.",
      descriptionType: "Methods",
    },
  ],
  relatedIdentifiers: [
    {
      relationType: "IsDescribedBy",
      relatedIdentifier: "10.1234/irrigation.2026",
      relatedIdentifierType: "DOI",
      citation: "Carberry J (2026): Wheat and water. Journal of Psychoceramics 5.",
    },
  ],
  fundingReferences: [
    { funderName: "Barley Foundation", awardNumber: "BF-2026-17", awardTitle: "Crops that need less water" },
  ],
  dates: [{ dateType: "Collected", date: "2026-04-01/2026-07-31" }],
  geoLocations: [
    { geoLocationPlace: "Gatersleben", geoLocationPoint: { pointLatitude: 51.8267, pointLongitude: 11.2799 } },
  ],
} satisfies Metadata;
