import { type Agent, type Described, type Institution, type Publisher, summaryOf } from "./described.ts";

/** The dataset in the vocabulary of schema.org, as JSON-LD for dataset search engines. */
export function schemaOrg(described: Described): object {
  const summary = summaryOf(described);
  const { licence, language, subjects, embargo } = summary;
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    "@id": summary.url,
    identifier: summary.identifier,
    url: summary.url,
    name: summary.title,
    description: summary.description,
    creator: summary.creators.map(agent),
    ...(summary.contributors.length > 0 && { contributor: summary.contributors.map(agent) }),
    publisher: publisherOf(summary.publisher),
    datePublished: summary.available,
    version: summary.version,
    ...(subjects.length > 0 && { keywords: subjects }),
    ...(language !== undefined && { inLanguage: language }),
    license: licence.url ?? licence.name,
    ...(embargo !== undefined && { conditionsOfAccess: `Under embargo until ${embargo}` }),
    size: `${described.facts.objects} files, ${described.facts.bytes} bytes`,
    distribution: described.downloads.map(({ url, name, mediaType }) => ({
      "@type": "DataDownload",
      name,
      contentUrl: url,
      encodingFormat: mediaType,
    })),
  };
}

function publisherOf({ name, url, email, ror }: Publisher): object {
  return {
    "@type": "Organization",
    ...(ror !== undefined && { "@id": ror }),
    name,
    ...(url !== undefined && { url }),
    ...(email !== undefined && { contactPoint: { "@type": "ContactPoint", email } }),
  };
}

function agent({ kind, name, family, given, orcid, ror, affiliations }: Agent): object {
  if (kind === "organisation") return organization({ name, ...(ror !== undefined && { ror }) });
  return {
    "@type": "Person",
    ...(orcid !== undefined && { "@id": orcid }),
    name: [given, family].filter((part) => part !== undefined).join(" ") || name,
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
    ...(affiliations.length > 0 && {
      affiliation: affiliations.length === 1 ? affiliations.map(organization)[0] : affiliations.map(organization),
    }),
  };
}

function organization({ name, ror }: Institution): object {
  return { "@type": "Organization", ...(ror !== undefined && { "@id": ror }), name };
}
