import type { ResourceType } from "../../../../packages/rules/src/index.ts";

/** The type of a resource in the formats of citation programs. */
interface CitationType {
  /** The value of `TY` in RIS. */
  ris: string;
  /** The `type` of CSL 1.0.2. */
  csl: string;
}

const GENERAL: CitationType = { ris: "GEN", csl: "document" };
/** Of types with the same value of CSL, the first is what it usually means. */
const TYPES = {
  Audiovisual: { ris: "VIDEO", csl: "motion_picture" },
  Award: GENERAL,
  Book: { ris: "BOOK", csl: "book" },
  BookChapter: { ris: "CHAP", csl: "chapter" },
  Collection: { ris: "DATA", csl: "collection" },
  ConferencePaper: { ris: "CPAPER", csl: "paper-conference" },
  ConferenceProceeding: { ris: "CONF", csl: "book" },
  Dataset: { ris: "DATA", csl: "dataset" },
  Dissertation: { ris: "THES", csl: "thesis" },
  Event: { ris: "GEN", csl: "event" },
  Image: { ris: "FIGURE", csl: "graphic" },
  Instrument: GENERAL,
  InteractiveResource: { ris: "MULTI", csl: "webpage" },
  Journal: { ris: "JFULL", csl: "periodical" },
  JournalArticle: { ris: "JOUR", csl: "article-journal" },
  DataPaper: { ris: "JOUR", csl: "article-journal" },
  Model: { ris: "DATA", csl: "dataset" },
  PeerReview: { ris: "GEN", csl: "review" },
  PhysicalObject: GENERAL,
  Preprint: { ris: "UNPB", csl: "article" },
  Presentation: { ris: "SLIDE", csl: "speech" },
  Poster: { ris: "GEN", csl: "speech" },
  Project: GENERAL,
  Report: { ris: "RPRT", csl: "report" },
  OutputManagementPlan: { ris: "RPRT", csl: "report" },
  Service: GENERAL,
  Software: { ris: "COMP", csl: "software" },
  ComputationalNotebook: { ris: "COMP", csl: "software" },
  Sound: { ris: "SOUND", csl: "song" },
  Standard: { ris: "STAND", csl: "standard" },
  StudyRegistration: GENERAL,
  Text: GENERAL,
  Workflow: { ris: "COMP", csl: "software" },
  Other: GENERAL,
} satisfies Record<ResourceType, CitationType>;

/** The type that a value of CSL usually means. */
export function typeOfCsl(csl: string): ResourceType | undefined {
  if (csl === GENERAL.csl) return undefined;
  return (Object.keys(TYPES) as ResourceType[]).find((type) => TYPES[type].csl === csl);
}

/** The type in RIS and CSL; without a type, that of a dataset. */
export function citationType(type: ResourceType = "Dataset"): CitationType {
  return TYPES[type];
}
