import { expect, test } from "vitest";
import { entriesOfMetadata } from "../new/draft-from-submission.ts";
import { editedMetadata, rebase } from "./edited-metadata.ts";

const sent = {
  title: " Barley roots ",
  authors: [
    {
      role: "Creator",
      firstName: "Josiah",
      lastName: "Carberry",
      orcid: "https://orcid.org/0000-0002-1825-0097",
      laboratory: "B 12",
    },
    { role: "Creator", name: "Example Institute" },
  ],
  subjects: ["roots, long", "soil"],
  embargoDate: "2030-01-01T00:00:00Z",
  dates: [{ date: "2024-01-01/2024-02-01", dateType: "Collected", season: "winter" }],
  laboratoryNotebook: { page: 12 },
};

test("metadata that nobody edited are sent as they were, with members that the form does not know", () => {
  expect(editedMetadata(sent, entriesOfMetadata(sent))).toEqual(sent);
});

test("an edit changes its member only, and other entries of the same list stay as they were sent", () => {
  const entries = entriesOfMetadata(sent);
  const [first, second] = entries.authors;
  if (first === undefined || second === undefined) throw new Error("no authors");
  const edited = { ...entries, authors: [first, { ...second, name: "Example Institute of Botany" }] };
  const metadata = editedMetadata(sent, edited);
  expect(metadata).toEqual({
    ...sent,
    authors: [sent.authors[0], expect.objectContaining({ name: "Example Institute of Botany" })],
  });
});

test("an emptied field is removed, and a removed entry does not take others with it", () => {
  const entries = entriesOfMetadata(sent);
  const edited = { ...entries, authors: entries.authors.slice(0, 1), lists: { ...entries.lists, dates: [] } };
  const { dates: _, ...others } = sent;
  expect(editedMetadata(sent, edited)).toEqual({ ...others, authors: [sent.authors[0]] });
});

test("changes are applied to metadata that others have changed, and members that both changed are named", () => {
  const base = { title: "A", language: "en", versionLabel: "1" };
  const mine = { title: "B", language: "en", license: "CC0-1.0" };
  const theirs = { title: "C", language: "de", versionLabel: "1" };
  expect(rebase(base, mine, theirs)).toEqual({
    metadata: { title: "B", language: "de", license: "CC0-1.0" },
    conflicts: ["title"],
  });
});
