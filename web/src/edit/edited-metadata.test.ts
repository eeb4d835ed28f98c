import { expect, test } from "vitest";
import { maximalMetadata } from "../../../tests/support/archive/maximal.ts";
import { newEntry } from "../metadata-form/entries/lists.ts";
import { subjectsOf } from "../metadata-form/entries/metadata-of.ts";
import { editableEntries, editedMetadata } from "./edited-metadata.ts";

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

test("metadata that were not edited are sent as before, with members that the form does not know", () => {
  expect(editedMetadata(sent, editableEntries(sent))).toEqual(sent);
});

test("an edit changes its member only, and other entries of the same list stay as they were sent", () => {
  const entries = editableEntries(sent);
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
  const entries = editableEntries(sent);
  const edited = { ...entries, authors: entries.authors.slice(0, 1), lists: { ...entries.lists, dates: [] } };
  const { dates: _, ...others } = sent;
  expect(editedMetadata(sent, edited)).toEqual({ ...others, authors: [sent.authors[0]] });
});

test("members that the form does not have stay in an entry that is edited, with the spelling of its other members", () => {
  const place = {
    geoLocationPlace: "Gatersleben",
    geoLocationPoint: { pointLatitude: 51.8267, pointLongitude: 11.28, datum: "WGS 84" },
    altitude: 110,
  };
  const author = {
    role: "creator",
    orcid: "https://orcid.org/0000-0002-1825-0097",
    lastName: "Carberry",
    affiliation: "Brown",
    affiliations: [
      { name: "IPK", department: "Roots" },
      { name: "Institute", department: "Leaves" },
    ],
    laboratory: "B 12",
  };
  const contact = { name: "Office", email: "data@example.org", public: false, phone: "1" };
  const all = { title: "A", authors: [author], geoLocations: [place], contact };
  const entries = editableEntries(all);
  const [person] = entries.authors;
  if (person === undefined) throw new Error("no author");
  const edited = {
    ...entries,
    contact: { ...entries.contact, name: "Data office" },
    authors: [
      {
        ...person,
        lastName: "Carberry-Smith",
        affiliations: [...person.affiliations.slice(0, 1), { name: "New", rorid: "" }],
      },
    ],
    lists: {
      ...entries.lists,
      geoLocations: entries.lists.geoLocations.map((one) => ({ ...one, pointLongitude: "11.3" })),
    },
  };
  expect(editedMetadata(all, edited)).toEqual({
    title: "A",
    authors: [
      {
        ...author,
        lastName: "Carberry-Smith",
        affiliations: [
          { name: "IPK", department: "Roots" },
          { name: "New", department: "Leaves" },
        ],
      },
    ],
    geoLocations: [{ ...place, geoLocationPoint: { pointLatitude: 51.8267, pointLongitude: "11.3", datum: "WGS 84" } }],
    contact: { ...contact, name: "Data office" },
  });
});

test("an entry keeps its members when others are moved, removed or added, even if it looks like another one", () => {
  const dates = [
    { date: "2026", dateType: "Collected", season: "summer" },
    { date: "2026", dateType: "Collected", season: "winter" },
    { season: "only this" },
  ];
  const entries = editableEntries({ ...sent, dates });
  const [first, second, blank] = entries.lists.dates;
  if (first === undefined || second === undefined || blank === undefined) throw new Error("no dates");
  const withDates = (...all: typeof entries.lists.dates) =>
    editedMetadata({ ...sent, dates }, { ...entries, lists: { ...entries.lists, dates: all } }).dates;
  expect(withDates(second, first, blank)).toEqual([dates[1], dates[0], dates[2]]);
  expect(withDates({ ...second, date: "2027" })).toEqual([{ ...dates[1], date: "2027" }]);
  const added = newEntry("dates", { date: "2028" });
  expect(withDates(first, added)).toEqual([dates[0], { date: "2028", dateType: "Collected" }]);
});

test("a name that the form shows as that of an organisation replaces the member in which it was sent", () => {
  const library = { role: "HostingInstitution", affiliation: "University Library", laboratory: "none" };
  const entries = editableEntries({ ...sent, authors: [library] });
  const authors = entries.authors.map((one) => ({ ...one, name: "Library of the Coast" }));
  expect(editedMetadata({ ...sent, authors: [library] }, { ...entries, authors }).authors).toEqual([
    { role: "HostingInstitution", nameType: "Organizational", name: "Library of the Coast", laboratory: "none" },
  ]);
});

test("another keyword is added to keywords that contain commas and quotation marks", () => {
  const subjects = ["roots, long", "soil; dry", '"quoted", twice', '5" pots', "barley"];
  const keyed = { title: "T", authors: sent.authors, subjects };
  const { description, ...others } = editableEntries(keyed);
  const edited = { ...others, description: { ...description, subjects: `${description.subjects}, wheat` } };
  expect(editedMetadata(keyed, edited).subjects).toEqual([...subjects, "wheat"]);
  expect(subjectsOf('roots, "long, thin" ,"unpaired, soil;;')).toEqual(["roots", "long, thin", '"unpaired', "soil"]);
});

test.each(["", null])(
  "a name in `name` stays when another member is edited, and %j was sent for the family name",
  (lastName) => {
    const author = { role: "Creator", nameType: "Personal", name: "Carberry", lastName, orcid: "0000-0002-1825-0097" };
    const named = { title: "T", authors: [author] };
    const entries = editableEntries(named);
    const orcid = "0000-0001-5109-3700";
    const edited = { ...entries, authors: entries.authors.map((one) => ({ ...one, orcid })) };
    const [found] = editedMetadata(named, edited).authors as Record<string, unknown>[];
    expect(found?.orcid).toBe(orcid);
    expect([found?.name, found?.lastName]).toContain("Carberry");
  },
);

test("every member of complete metadata can be emptied and filled again", () => {
  expect(editedMetadata(maximalMetadata, editableEntries(maximalMetadata))).toEqual(maximalMetadata);
  const blank = editableEntries({ title: "A", authors: [{ role: "Creator", lastName: "Carberry" }] });
  expect(Object.keys(editedMetadata(maximalMetadata, blank)).sort()).toEqual(["authors", "title"]);
});
