import { Type } from "typebox";
import { fileKinds } from "../../describe/import/file-kinds.ts";
import { Metadata } from "../../describe/metadata/schema.ts";
import type { ReadFile, Suggestions } from "../../intake/import-metadata.ts";
import { count, Fault, nullable, ProblemCode } from "./basics.ts";

const foundFile = {
  key: Type.String({ description: "Key of the object, or name of the file." }),
  kind: Type.Enum([...fileKinds], {
    title: "MetadataFileKind",
    description: "Format of the file. Later versions can add formats.",
  }),
  bytes: count("Size in bytes."),
};

export const MetadataFile = Type.Object(foundFile, {
  title: "MetadataFile",
  description: "A metadata file at the top level of the selected data.",
});

const ImportRemark = Type.Object(
  {
    place: Type.String({ description: "JSON pointer, or a line such as `line 12`; empty for the whole file." }),
    message: Type.String({ description: "Human-readable reason why the value is not used." }),
  },
  { title: "ImportRemark", description: "A part of a metadata file that is not used." },
);

const MetadataFileProblem = Type.Object(
  {
    code: ProblemCode,
    fault: Fault,
    title: Type.String({ description: "Short summary, the same for every problem with this code." }),
    detail: Type.String({ description: "Explanation. It does not quote the file." }),
    action: Type.String({ description: "How to fix the problem." }),
  },
  { title: "MetadataFileProblem", description: "Why a metadata file cannot be read." },
);

export const MetadataSuggestions = Type.Object(
  {
    values: Type.Partial(Metadata, {
      title: "SuggestedMetadata",
      description: "Values for fields of the metadata. Each of them is valid; together they can be incomplete.",
    }),
    sources: Type.Record(Type.String(), Type.String(), {
      description: "For each field in `values`, the `key` of the file that it comes from.",
    }),
    files: Type.Array(
      Type.Object(
        {
          ...foundFile,
          remarks: Type.Array(ImportRemark, { description: "Values that are not used; at most 100." }),
          problem: nullable(MetadataFileProblem, "Why the file cannot be read; null if it was read."),
        },
        { title: "ReadMetadataFile", description: "The result of reading a metadata file." },
      ),
      { description: "The files in the order of precedence; at most 10." },
    ),
  },
  { title: "MetadataSuggestions", description: "Values that metadata files suggest for the metadata of a dataset." },
);

export function suggestionsView({ values, sources, files }: Suggestions) {
  return { values, sources: sources as Record<string, string>, files: files.map(fileView) };
}

function fileView({ problem, ...file }: ReadFile) {
  if (problem === null) return { ...file, problem };
  const { code, fault, title, message: detail, action } = problem;
  return { ...file, problem: { code, fault, title, detail, action } };
}
