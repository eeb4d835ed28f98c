import type { Person } from "../entries/entries.ts";
import { labelOf } from "../entries/metadata-of.ts";

/** The two common roles, then the contributor types of DataCite. */
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

/** The role with this name, regardless of case and spacing. */
export function roleOf(text: string): Role | undefined {
  const fold = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");
  return ROLES.find((role) => fold(role) === fold(text));
}

/** Whether the author has no name, no ORCID iD and no affiliation. */
export function isUnnamed(person: Person): boolean {
  return labelOf(person) === "" && person.orcid.trim() === "";
}
