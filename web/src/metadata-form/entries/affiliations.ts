import type { Affiliation, Person } from "./entries.ts";

/** All institutions of a person, in order. There is at least one, which can be empty. */
export function affiliationsOf({ affiliation, rorid, affiliations }: Person): Affiliation[] {
  return [{ name: affiliation, rorid }, ...affiliations];
}

/** The members of a person for these institutions. */
export function withAffiliations(all: readonly Affiliation[]): Pick<Person, "affiliation" | "rorid" | "affiliations"> {
  const [first, ...affiliations] = all;
  return { affiliation: first?.name ?? "", rorid: first?.rorid ?? "", affiliations };
}

/** The pointer to a member of an institution of an author. @param at the position among {@link affiliationsOf} */
export function affiliationPointer(author: number, at: number, member: keyof Affiliation): string {
  const pointer = `/metadata/authors/${author}`;
  if (at === 0) return `${pointer}/${member === "name" ? "affiliation" : "rorid"}`;
  return `${pointer}/affiliations/${at - 1}/${member}`;
}

/** Whether an institution has an entry. Only such institutions are sent. */
export function isStated({ name, rorid }: Affiliation): boolean {
  return name.trim() !== "" || rorid.trim() !== "";
}

/** Whether an author is an organisation and not a person. */
export function isOrganisation({ nameType }: Pick<Person, "nameType">): boolean {
  return /^\s*organi[sz]ation(al)?\s*$/i.test(nameType);
}
