import { Type } from "typebox";
import { LANGUAGES } from "../../public/site/site.ts";
import { object, optionalInteger, optionalText, text } from "./basics.ts";

/** Query parameter of operations that return the parts of a page. */
export const LanguageQuery = {
  lang: Type.Optional(
    Type.Enum(LANGUAGES, {
      description: "Language of the page. Default: the one that `Accept-Language` prefers.",
      examples: ["de"],
    }),
  ),
};

/** Query parameters for a part of the list of files on a page. */
export const FilesQuery = {
  folder: optionalText({
    description: "On the page: the folder whose files are listed, as a path below `data/`. Default: all files.",
    examples: ["measurements/2025/"],
  }),
  from: optionalText({
    description: "On the page: the name of the folder with which the list begins.",
    examples: ["plot-07"],
  }),
  after: optionalInteger({
    minimum: 0,
    maximum: 1_000_000_000,
    description:
      "On the page: the position after which files are listed, in `folder` or, without it, in the folder of the file that follows.",
    examples: [49],
  }),
  find: optionalText({
    maxLength: 1_000,
    description:
      "On the page: words that the paths of the listed files contain, regardless of case. In versions with more than 100,000 files, the beginning of the paths below `data/`.",
    examples: ["plot csv"],
  }),
};

export const FilesPartView = object(
  "FilesPart",
  "The list of files on the page of a version as HTML, for the web page of this service: that of the landing page, with what the caller may see. Texts of the dataset are escaped.",
  {
    html: text("A section with a part of the list of files, and one with the README of the folder if it has one."),
    status: text("What it shows, for screen readers; empty without access to the files."),
  },
);

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
