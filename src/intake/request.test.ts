import { expect, test } from "vitest";
import { readUpload } from "./request.ts";

const s3access = {
  endpoint: "https://s3.example.org",
  bucket: "bucket",
  accessKey: "AK",
  secretKey: "a-secret",
  validated: true,
};
const affiliationOf = (author: object) => {
  const metadata = {
    title: "A title that is long enough",
    description: "A description of some measurements that is long enough.",
    license: "CC0-1.0",
    language: "en",
    subjects: ["barley"],
    authors: [
      {
        role: "Creator",
        firstName: "Josiah",
        lastName: "Carberry",
        address: "Canary Court, Aufgang B, Canary Hof",
        ...author,
      },
    ],
  };
  return readUpload({ metadata, s3access }).metadata.authors[0]?.affiliation;
};

test("an affiliation is read from an address only if city and affiliation are absent, not if they are empty", () => {
  expect(affiliationOf({})).toBe("Canary Court");
  for (const members of [{ city: "" }, { affiliation: "" }, { city: null }, { city: "Berlin" }]) {
    expect(affiliationOf(members)).toBeUndefined();
  }
});
