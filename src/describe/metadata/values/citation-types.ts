import type { ResourceType } from "../../../../packages/rules/src/index.ts";

/** The type of a resource in the formats of citation programs. */
interface CitationType {
  /** The value of `TY` in RIS. */
  ris: string;
  /** The `type` of CSL 1.0.2. */
  csl: string;
}

const GENERAL: CitationType = { ris: "GEN", csl: "document" };
const TYPES = {
  Audiovisual: { ris: "VIDEO", csl: "motion_picture" },
  Award: GENERAL,
  Book: { ris: "BOOK", csl: "book" },
  BookChapter: { ris: "CHAP", csl: "chapter" },
  Collection: { ris: "DATA", csl: "collection" },
  ComputationalNotebook: { ris: "COMP", csl: "software" },
  ConferencePaper: { ris: "CPAPER", csl: "paper-conference" },
  ConferenceProceeding: { ris: "CONF", csl: "book" },
  DataPaper: { ris: "JOUR", csl: "article-journal" },
  Dataset: { ris: "DATA", csl: "dataset" },
  Dissertation: { ris: "THES", csl: "thesis" },
  Event: { ris: "GEN", csl: "event" },
  Image: { ris: "FIGURE", csl: "graphic" },
  Instrument: GENERAL,
  InteractiveResource: { ris: "MULTI", csl: "webpage" },
  Journal: { ris: "JFULL", csl: "periodical" },
  JournalArticle: { ris: "JOUR", csl: "article-journal" },
  Model: { ris: "DATA", csl: "dataset" },
  OutputManagementPlan: { ris: "RPRT", csl: "report" },
  PeerReview: { ris: "GEN", csl: "review" },
  PhysicalObject: GENERAL,
  Poster: { ris: "GEN", csl: "speech" },
  Preprint: { ris: "UNPB", csl: "article" },
  Presentation: { ris: "SLIDE", csl: "speech" },
  Project: GENERAL,
  Report: { ris: "RPRT", csl: "report" },
  Service: GENERAL,
  Software: { ris: "COMP", csl: "software" },
  Sound: { ris: "SOUND", csl: "song" },
  Standard: { ris: "STAND", csl: "standard" },
  StudyRegistration: GENERAL,
  Text: GENERAL,
  Workflow: { ris: "COMP", csl: "software" },
  Other: GENERAL,
} satisfies Record<ResourceType, CitationType>;

/** The type in RIS and CSL; without a type, that of a dataset. */
export function citationType(type: ResourceType = "Dataset"): CitationType {
  return TYPES[type];
}
