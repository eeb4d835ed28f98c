import { Type } from "typebox";
import { fileKinds } from "../../describe/import/file-kinds.ts";
import { Metadata } from "../../describe/metadata/schema.ts";
import type { ReadFile, Suggestions } from "../../intake/import-metadata.ts";
import { count, Fault, list, nullable, object, ProblemCode, text } from "./basics.ts";

const foundFile = {
  key: text("Key of the object, or name of the file."),
  kind: Type.Enum([...fileKinds], {
    title: "MetadataFileKind",
    description: "Format of the file. Later versions can add formats.",
  }),
  bytes: count("Size in bytes."),
};

export const MetadataFile = object("MetadataFile", "A metadata file at the top level of the selected data.", foundFile);

const ImportRemark = object("ImportRemark", "A part of a metadata file that is not used.", {
  place: text("JSON pointer, or a line such as `line 12`; empty for the whole file."),
  message: text("Human-readable reason why the value is not used."),
});

const MetadataFileProblem = object("MetadataFileProblem", "Why a metadata file cannot be read.", {
  code: ProblemCode,
  fault: Fault,
  title: text("Short summary, the same for every problem with this code."),
  detail: text("Explanation. It does not quote the file."),
  action: text("How to fix the problem."),
});

export const MetadataSuggestions = object(
  "MetadataSuggestions",
  "Values that metadata files suggest for the metadata of a dataset.",
  {
    values: Type.Partial(Metadata, {
      title: "SuggestedMetadata",
      description: "Values for fields of the metadata. Each of them is valid; together they can be incomplete.",
    }),
    sources: Type.Record(Type.String(), Type.String(), {
      description: "For each field in `values`, the `key` of the file that it comes from.",
    }),
    files: list(
      object("ReadMetadataFile", "The result of reading a metadata file.", {
        ...foundFile,
        remarks: list(ImportRemark, "Values that are not used; at most 100."),
        problem: nullable(MetadataFileProblem, "Why the file cannot be read; null if it was read."),
      }),
      "The files in the order of precedence; at most 10.",
    ),
  },
);

export function suggestionsView({ values, sources, files }: Suggestions) {
  return { values, sources: sources as Record<string, string>, files: files.map(fileView) };
}

function fileView({ problem, ...file }: ReadFile) {
  if (problem === null) return { ...file, problem };
  const { code, fault, title, message: detail, action } = problem;
  return { ...file, problem: { code, fault, title, detail, action } };
}
