import type { Submission } from "@accession/client";
import { expect, test } from "vitest";
import { maximalMetadata } from "../../../tests/support/archive/maximal.ts";
import { newPerson } from "../metadata-form/entries/entries.ts";
import { newEntry } from "../metadata-form/entries/lists.ts";
import { metadataOf, pointerInDraft } from "../metadata-form/entries/metadata-of.ts";
import { newDraft } from "./draft.ts";
import { draftFromSubmission } from "./draft-from-submission.ts";
import { accessOf, digestsOf } from "./request.ts";

const draftOf = (metadata: object) =>
  draftFromSubmission({
    metadata,
    source: { endpoint: "https://s3.example.org", bucket: "barley" },
  } as unknown as Submission);

/** The metadata with numbers as texts, because the form has only texts. */
function asTexts(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]));
}

test("the draft from a submission sends every member of its metadata again", () => {
  const { authors, ...others } = maximalMetadata;
  const sent = metadataOf(draftOf(maximalMetadata));
  expect(sent).toMatchObject(asTexts(others) as object);
  expect(sent.authors.slice(0, 3)).toEqual(authors.slice(0, 3));
});

test("an author with an affiliation alone becomes an organisation", () => {
  const [, , , institution] = metadataOf(draftOf(maximalMetadata)).authors;
  expect(institution).toEqual({
    role: "HostingInstitution",
    nameType: "Organizational",
    name: "University Library of the Coast",
  });
});

test.each(["2026", "2026-05/2026-07", "2026/..", "/2026"])("the date %s is unchanged", (date) => {
  const { dates } = metadataOf(draftOf({ dates: [{ date, dateType: "Valid" }] }));
  expect(dates).toEqual([{ date, dateType: "Valid" }]);
});

test("a period with an open end is sent with two dots", () => {
  const { dates } = metadataOf(draftOf({ dates: [{ date: "2026/", dateType: "Valid" }] }));
  expect(dates).toEqual([{ date: "2026/..", dateType: "Valid" }]);
});

test("entries without texts, and a contact without texts, are not sent", () => {
  const draft = newDraft();
  draft.lists.dates = [newEntry("dates")];
  draft.lists.relatedIdentifiers = [newEntry("relatedIdentifiers")];
  draft.contact.public = true;
  draft.authors = [newPerson({ lastName: "Curator", affiliations: [{ name: " ", rorid: "" }] })];
  expect(metadataOf(draft)).toEqual({ title: "", authors: [{ role: "Creator", lastName: "Curator" }] });
});

test("the language of a text can be entered as its name", () => {
  const draft = newDraft();
  draft.lists.titles = [newEntry("titles", { title: "Wurzeln", language: "Deutsch" })];
  expect(metadataOf(draft).titles).toEqual([{ title: "Wurzeln", titleType: "AlternativeTitle", language: "de" }]);
});

test("pointers of the service are translated if the draft has empty entries before", () => {
  const draft = newDraft();
  draft.lists.fundingReferences = [newEntry("fundingReferences"), newEntry("fundingReferences", { funderName: "EC" })];
  draft.authors = [
    newPerson({
      affiliations: [
        { name: "", rorid: "" },
        { name: "IPK", rorid: "" },
      ],
    }),
  ];
  for (const [sent, shown] of [
    ["/metadata/fundingReferences/0/awardUri", "/metadata/fundingReferences/1/awardUri"],
    ["/metadata/fundingReferences/0", "/metadata/fundingReferences/1"],
    ["/metadata/fundingReferences", "/metadata/fundingReferences"],
    ["/metadata/authors/0/affiliations/0/rorid", "/metadata/authors/0/affiliations/1/rorid"],
    ["/metadata/authors/0/orcid", "/metadata/authors/0/orcid"],
    ["/s3Access/bucket", "/s3Access/bucket"],
  ] as const) {
    expect(pointerInDraft(sent, draft)).toBe(shown);
  }
});

test("a role is sent instead of the access key, and neither of them for a public bucket", () => {
  const { dataSource } = newDraft();
  const keys = { accessKey: "a", secretKey: "b", sessionToken: "c" };
  const roleArn = "arn:aws:iam::123456789012:role/reader";
  const sent = (change: object) => accessOf({ ...dataSource, endpoint: "e", bucket: "b", ...change }, keys);
  expect(sent({ roleArn, requesterPays: true })).toEqual({ endpoint: "e", bucket: "b", roleArn, requesterPays: true });
  expect(sent({ roleArn, anonymous: true })).toEqual({ endpoint: "e", bucket: "b", anonymous: true });
  expect(sent({ roleArn: " " })).toEqual({ endpoint: "e", bucket: "b", ...keys });
});

test("the base folder is sent with every checksum list", () => {
  const dataSource = { ...newDraft().dataSource, lists: ["SHA256SUMS", "MD5SUMS"] };
  const texts = new Map(dataSource.lists.map((name) => [name, "text"]));
  const bases = (base: string) => digestsOf({ ...dataSource, base }, texts).digests?.map((list) => list.base);
  expect(bases("run 7/")).toEqual(["run 7/", "run 7/"]);
  expect(bases("")).toEqual([undefined, undefined]);
});
