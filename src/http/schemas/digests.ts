import { Type } from "typebox";
import { MOST_NAMED_FILES } from "../../domain/submission/digest-state.ts";
import { count, list, nullable, object, ProblemCode, text } from "./basics.ts";

const NamedFiles = object("NamedFiles", "Files, of which the first are named.", {
  total: count("Number of files."),
  keys: list(Type.String(), `The first ${MOST_NAMED_FILES} of them, by key.`),
});
/** A member of type `NamedFiles` with its own description. */
const files = (description: string) => Type.Intersect([NamedFiles], { description });

const DigestComparison = object(
  "DigestComparison",
  "The files of the digest lists, compared with those of the source.",
  {
    files: count("Number of listed files that the selection contains."),
    notSelected: count("Number of listed files that the selection leaves out."),
    missing: files("Listed files that the source does not have. The submission waits until they are added."),
    additional: files(
      "Files of the source that no list names. They are archived. Lists and tag files of a bag do not count.",
    ),
  },
);

const DigestListView = object("UsedDigestList", "A digest list that the submission uses.", {
  name: text("Name of the file, or its key; empty if unknown."),
  origin: Type.Enum(["request", "source", "bag"], {
    description: "Where the list is: in the request, in the source, or in the source as a manifest of a bag.",
  }),
  entries: count("Number of checksums in the list."),
});

const UnreadList = object("UnreadDigestList", "A digest list in the source that is not used, or not used yet.", {
  name: text("Its key."),
  origin: Type.Enum(["source", "bag"], {
    description: "Whether the request names the list, or it is a manifest of a bag.",
  }),
});

/** The member `digests` of a submission. */
export const DigestsView = object("SubmissionDigests", "The digest lists of a submission, and what they show.", {
  lists: list(
    DigestListView,
    "The lists. Those in the source are added when all of them have been read and can be used.",
  ),
  unread: list(
    UnreadList,
    "Lists in the source that are not used yet; after the submission failed or was cancelled, that were not used. They are read before the files; if one cannot be used, the submission waits.",
  ),
  comparison: nullable(DigestComparison, "Comparison with the listing; null until the listing is complete."),
  differing: count(
    "Number of files whose content differs from a checksum of the lists, also of those that were excluded.",
  ),
  differingExcluded: count("Number of different files that were excluded. The dataset does not contain them."),
});

const ListProblem = object("DigestListProblem", "Why a digest list cannot be used.", {
  code: ProblemCode,
  message: text("Human-readable explanation."),
});

const PreviewedList = object("PreviewedDigestList", "A digest list that a submission would use.", {
  ...DigestListView.properties,
  entries: count(
    "Number of checksums in the list, as far as it was read. Without a `comparison`, not all lists were read to their end.",
  ),
  problem: nullable(ListProblem, "Why the submission could not use the list; null if it could."),
});

const PreviewComparison = object(
  "PreviewDigestComparison",
  "The files of the digest lists, compared with the listed objects.",
  {
    ...DigestComparison.properties,
    missing: nullable(NamedFiles, "Listed files that the bucket does not have; null if the listing was not completed."),
    additional: files("Listed objects that no list names, without the lists and tag files of a bag."),
  },
);

/** The member `digests` of a preview. */
export const PreviewDigestsView = object(
  "PreviewDigests",
  "The digest lists of a preview, and the manifests of a bag.",
  {
    lists: list(PreviewedList, "The lists that were sent or recognised."),
    comparison: nullable(
      PreviewComparison,
      "Comparison with the listing; null if a list cannot be used, or if the lists have more than 200,000 files or 64 MiB.",
    ),
  },
);
