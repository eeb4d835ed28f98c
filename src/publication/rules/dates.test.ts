import { expect, test } from "vitest";
import { type DatedPublication, openedOn, publicationDates } from "./dates.ts";

const published: DatedPublication = {
  publishedAt: new Date("2026-11-27T12:00:00Z"),
  access: "open",
  embargoDate: null,
  openedOn: null,
};
const embargoed: DatedPublication = { ...published, access: "embargoed", embargoDate: "2027-06-01" };
const at = (day: string) => new Date(`${day}T08:00:00Z`);
const later = at("2028-01-01");

test("the day of publication does not depend on access and time", () => {
  const accesses = [published, embargoed, { ...published, access: "restricted" as const }];
  for (const one of accesses) expect(publicationDates(one, later).issued).toBe("2026-11-27");
  expect(publicationDates({ ...published, publishedAt: null }, later).issued).toBe("2028-01-01");
});

test("files are available from publication, from the end of an embargo, or from the day on which a change opened them", () => {
  expect(publicationDates(published, later).available).toBe("2026-11-27");
  expect(publicationDates(embargoed, later).available).toBe("2027-06-01");
  expect(publicationDates({ ...embargoed, embargoDate: "2026-01-01" }, later).available).toBe("2026-11-27");
  expect(publicationDates({ ...published, openedOn: "2027-02-03" }, later).available).toBe("2027-02-03");
  expect(publicationDates({ ...published, access: "restricted" }, later)).toEqual({ issued: "2026-11-27" });
});

test("a change to open access keeps the day on which the files became open", () => {
  expect(openedOn(embargoed, "open", at("2027-02-03"))).toBe("2027-02-03");
  expect(openedOn(embargoed, "open", at("2027-07-01"))).toBe("2027-06-01");
  expect(openedOn({ ...published, access: "restricted" }, "open", at("2027-02-03"))).toBe("2027-02-03");
  expect(openedOn(published, "open", at("2027-02-03"))).toBeNull();
  expect(openedOn({ ...published, openedOn: "2027-02-03" }, "open", later)).toBe("2027-02-03");
  expect(openedOn(published, "restricted", later)).toBeNull();
  expect(openedOn({ ...embargoed, publishedAt: null }, "open", later)).toBeNull();
});
