import { knownTerm } from "./terms.ts";

/** The contributor types of DataCite 4.7 (appendix 1, contributorType). */
export const contributorTypes = [
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

/** The roles of e!DAL-PGP, then those of DataCite. */
export const roles = ["Creator", "Contributor", ...contributorTypes] as const;
export type Role = (typeof roles)[number];

/** The canonical spelling of a role in any case and spacing (“contact person”), or `undefined`. */
export function knownRole(text: string): Role | undefined {
  return knownTerm(roles, text);
}
