import type { DataciteRecord } from "../../metadata/datacite-record.ts";
import type { NormalizedMetadata, NormalizedPartLicense } from "../../metadata/normalized.ts";
import { descriptionOf, NO_LICENCE, partLicenceText, placelessTexts, type VersionFacts } from "../../version-facts.ts";
import { ACCESS_TERMS } from "../access-terms.ts";

/** The title as submitted, and further titles with their types. */
export function titlesOf({ title, titles = [] }: NormalizedMetadata): DataciteRecord["titles"] {
  return [{ title }, ...titles.map(({ language, ...rest }) => ({ ...rest, ...langOf(language) }))];
}

/** The description as abstract, further descriptions with their types, and the acknowledgements. */
export function descriptionsOf(metadata: NormalizedMetadata): DataciteRecord["descriptions"] {
  const { descriptions = [] } = metadata;
  return [
    { description: descriptionOf(metadata), descriptionType: "Abstract" },
    ...descriptions.map(({ language, ...rest }) => ({ ...rest, ...langOf(language) })),
    ...placelessTexts(metadata).map((description) => ({ description, descriptionType: "Other" as const })),
  ];
}

/** Keywords, then terms of vocabularies. */
export function subjectsOf({ subjects, subjectTerms = [] }: NormalizedMetadata): DataciteRecord["subjects"] {
  return [
    ...subjects.map((subject) => ({ subject })),
    ...subjectTerms.map(({ language, ...term }) => ({ ...term, ...langOf(language) })),
  ];
}

export function typesOf({
  resourceTypeGeneral = "Dataset",
  resourceType,
}: NormalizedMetadata): DataciteRecord["types"] {
  return { resourceTypeGeneral, resourceType: resourceType ?? resourceTypeGeneral };
}

/** The licence of the dataset, then those of parts, whose text names the part. */
export function rightsOf({ license, licenses = [] }: NormalizedMetadata): DataciteRecord["rightsList"] {
  const main = license === undefined ? { rights: NO_LICENCE } : rightOf({ license });
  return [main, ...licenses.map(rightOf)];
}

/** Who may read the files, as OpenAIRE reads it; nothing if it is not decided. */
export function accessOf({ access }: Pick<VersionFacts, "access">): DataciteRecord["rightsList"] {
  if (access === undefined) return [];
  const { label, openaire } = ACCESS_TERMS[access];
  return [{ rights: label, rightsUri: openaire }];
}

function rightOf(part: NormalizedPartLicense): DataciteRecord["rightsList"][number] {
  const { url, spdx } = part.license;
  return {
    rights: partLicenceText(part),
    ...(url !== undefined && { rightsUri: url }),
    ...(spdx !== undefined && {
      rightsIdentifier: spdx,
      rightsIdentifierScheme: "SPDX",
      schemeUri: "https://spdx.org/licenses/",
    }),
  };
}

function langOf(language: string | undefined): { lang?: string } {
  return language === undefined ? {} : { lang: language };
}
