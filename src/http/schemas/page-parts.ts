import { Type } from "typebox";
import { LANGUAGES } from "../../public/site/site.ts";
import { object, text } from "./basics.ts";

/** Query parameter of operations that return the parts of a page. */
export const LanguageQuery = {
  lang: Type.Optional(
    Type.Enum(LANGUAGES, {
      description: "Language of the page. Default: the one that `Accept-Language` prefers.",
      examples: ["de"],
    }),
  ),
};

export const PagePartsView = object(
  "PageParts",
  "The parts of the page of a version as HTML, for the web page of this service: those of the landing page, with what the caller may see. Texts of the dataset are escaped.",
  {
    heading: text("What follows the title: further titles, people, and the version."),
    description: text("Description, further descriptions and acknowledgements."),
    citation: Type.Optional(text("How the version is cited. Reviewers do not get it.")),
    further: text("Related works, funding, places, and the operator’s fields."),
    details: text("Collections and further metadata."),
    exports: Type.Optional(text("Links to the metadata in all formats. Reviewers do not get them.")),
  },
);
