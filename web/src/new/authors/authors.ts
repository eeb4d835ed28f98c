import type { Person } from "../draft.ts";
import { nameOf } from "../request.ts";

/** What DataCite calls contributors, after the two that are usual. */
export const ROLES = [
  "Creator",
  "Contributor",
  "ContactPerson",
  "DataCollector",
  "DataCurator",
  "DataManager",
  "Distributor",
  "Editor",
  "HostingInstitution",
  "Producer",
  "ProjectLeader",
  "ProjectManager",
  "ProjectMember",
  "RegistrationAgency",
  "RegistrationAuthority",
  "RelatedPerson",
  "Researcher",
  "ResearchGroup",
  "RightsHolder",
  "Sponsor",
  "Supervisor",
  "Translator",
  "WorkPackageLeader",
  "Other",
] as const;
export type Role = (typeof ROLES)[number];

/** The role of this name, whatever its case and spacing. */
export function roleOf(text: string): Role | undefined {
  const fold = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");
  return ROLES.find((role) => fold(role) === fold(text));
}

/** The list with one of it at another place. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

/** Whether nothing says who this is. */
export function isUnnamed(person: Person): boolean {
  return nameOf(person) === "" && person.orcid.trim() === "" && person.affiliation.trim() === "";
}
