import { OaiError } from "./errors.ts";

export const ARGUMENTS = ["identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"] as const;
export type Argument = (typeof ARGUMENTS)[number];
export type Arguments = Partial<Record<Argument, string>>;

export type Verb = "Identify" | "ListMetadataFormats" | "ListSets" | "GetRecord" | "ListIdentifiers" | "ListRecords";

/** The arguments of each verb. A resumption token replaces all others. */
const VERBS: Record<Verb, { required: readonly Argument[]; optional: readonly Argument[]; resumes: boolean }> = {
  Identify: { required: [], optional: [], resumes: false },
  ListMetadataFormats: { required: [], optional: ["identifier"], resumes: false },
  ListSets: { required: [], optional: [], resumes: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], resumes: false },
  ListIdentifiers: { required: ["metadataPrefix"], optional: ["from", "until", "set"], resumes: true },
  ListRecords: { required: ["metadataPrefix"], optional: ["from", "until", "set"], resumes: true },
};

/** @throws OaiError `badVerb` */
export function verbOf(parameters: URLSearchParams): Verb {
  const verbs = parameters.getAll("verb");
  const [verb = ""] = verbs;
  if (verbs.length > 1) throw new OaiError("badVerb", "The argument “verb” is repeated");
  if (Object.hasOwn(VERBS, verb)) return verb as Verb;
  throw new OaiError(
    "badVerb",
    verb === ""
      ? "The argument “verb” is missing"
      : `The verb is unknown. Known verbs: ${Object.keys(VERBS).join(", ")}`,
  );
}

/** The arguments of a request with this verb. @throws OaiError `badArgument` */
export function argumentsOf(verb: Verb, parameters: URLSearchParams): Arguments {
  const { required, optional, resumes } = VERBS[verb];
  const given: Arguments = {};
  for (const [name, value] of parameters) {
    if (name === "verb") continue;
    if (!isArgument(name) || ![...required, ...optional, ...(resumes ? ["resumptionToken"] : [])].includes(name)) {
      throw new OaiError("badArgument", `The verb ${verb} does not have one of the arguments of the request`);
    }
    if (given[name] !== undefined) throw new OaiError("badArgument", `The argument “${name}” is repeated`);
    if (value === "") throw new OaiError("badArgument", `The argument “${name}” is empty`);
    given[name] = value;
  }
  if (given.resumptionToken !== undefined) {
    if (Object.keys(given).length === 1) return given;
    throw new OaiError("badArgument", "The argument “resumptionToken” must be the only one besides “verb”");
  }
  for (const name of required) {
    if (given[name] === undefined) throw new OaiError("badArgument", `The argument “${name}” is missing`);
  }
  return given;
}

function isArgument(name: string): name is Argument {
  return (ARGUMENTS as readonly string[]).includes(name);
}
