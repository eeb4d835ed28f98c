import { Type } from "typebox";
import { type FoundEntry, searchVocabulary } from "../../db/vocabularies.ts";
import { VOCABULARY_KINDS } from "../../describe/vocabulary/vocabulary.ts";
import { documented, operation } from "../operation.ts";
import { list, object, optionalInteger, text, textOrNull } from "../schemas/basics.ts";

/** Default number of results. */
const RESULTS = 10;
/** Maximum number of other names of a result. Some organisations have dozens. */
const MOST_NAMES = 10;

const VocabularyResult = object("VocabularyResult", "An entry of a controlled vocabulary.", {
  id: text("Identifier of the entry, usually a web address."),
  name: text("Preferred name."),
  detail: textOrNull(
    "Text that distinguishes entries of the same name: place and country of an organisation or funder, notation and scheme of a subject; null if unknown.",
  ),
  acronyms: list(Type.String(), "Acronyms, at most 10."),
  alternativeNames: list(Type.String(), "Other names, also in other languages; at most 10."),
  language: textOrNull("Language of `name` (BCP 47); null if unknown."),
  scheme: textOrNull(
    "Type of the identifier (`ROR`, `Crossref Funder ID`, `GRID`, `ISNI`, `Other`), or name of the subject scheme; null if unknown.",
  ),
  schemeUri: textOrNull("Address of the scheme; null if unknown."),
  notation: textOrNull("Code of a subject in its scheme; null if it has none."),
  vocabulary: text("Name of the vocabulary that contains the entry."),
});

/** Searches the imported vocabularies of a kind while the user types. */
export const vocabularySearch = operation({
  route: "GET /vocabulary/:kind/search",
  operationId: "searchVocabulary",
  summary: "Search a vocabulary",
  description:
    "Returns entries of the vocabularies that the operator has imported, best match first: entries with exactly this name, acronym or identifier, names that begin with the query, then entries that contain all its words or words that begin with them. Case and diacritics are ignored. The list is empty if there is no vocabulary of this kind; see `vocabularies` of `GET /service`. The service sends the query to no other service. Clients that search while the user types should wait about 100 ms after each key and abort the previous request.",
  tag: "Before submitting",
  params: Type.Object({
    kind: Type.Enum([...VOCABULARY_KINDS], {
      description: "What the entries of the vocabularies describe.",
      examples: ["organisations"],
    }),
  }),
  querystring: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Beginning of a name, or words.",
      examples: ["barley res"],
    }),
    limit: optionalInteger({
      minimum: 1,
      maximum: 50,
      default: RESULTS,
      description: "Maximum number of results.",
      examples: [10],
    }),
  }),
  response: {
    200: documented(Type.Array(VocabularyResult), {
      description: "The best matches.",
      example: [
        {
          id: "https://ror.org/05gq02987",
          name: "Institute for Barley Research",
          detail: "Gatersleben, Germany",
          acronyms: ["IBR"],
          alternativeNames: ["Institut für Gerstenforschung"],
          language: "en",
          scheme: "ROR",
          schemeUri: "https://ror.org",
          notation: null,
          vocabulary: "ror",
        },
      ],
    }),
  },
  handler: async (context, request) => {
    const { q, limit = RESULTS } = request.query;
    const { kind } = request.params;
    const found = await searchVocabulary(context.db, kind, q, limit);
    return found.map((entry) => viewOf(entry, kind === "subjects"));
  },
});

function viewOf(entry: FoundEntry, isSubject: boolean) {
  const { id, label, acronyms, alternatives, language, scheme, scheme_uri, notation, city, country, vocabulary } =
    entry;
  const details = (isSubject ? [notation, scheme] : [city, country]).filter((detail) => detail !== null);
  return {
    id,
    name: label,
    detail: details.length === 0 ? null : details.join(", "),
    acronyms: acronyms.slice(0, MOST_NAMES),
    alternativeNames: alternatives.slice(0, MOST_NAMES),
    language,
    scheme,
    schemeUri: scheme_uri,
    notation,
    vocabulary,
  };
}
