import { knownRole } from "../../../../packages/rules/src/index.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addLicences } from "./licence-choice.ts";
import { alternateIdentifier, relatedTo } from "./links.ts";
import { addAuthors, affiliationOf } from "./people.ts";
import { plainText } from "./plain-text.ts";

/** Roles of Data Packages that DataCite names differently. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["author", "Creator"],
  ["publisher", "Distributor"],
  ["wrangler", "DataCurator"],
  ["maintainer", "DataManager"],
  ["contact", "ContactPerson"],
]);

/** Fills a draft from a Frictionless Data Package of version 1 or 2. */
export function fromDatapackage(file: FileValue, draft: Draft): void {
  draft.setText("title", file.member("title"));
  draft.set("description", file.member("description"), plainText(file.text("description")));
  draft.setText("versionLabel", file.member("version"));
  for (const author of file.entries("author")) addContributor(author, "Creator", draft);
  for (const contributor of file.entries("contributors")) addContributor(contributor, roleOf(contributor), draft);
  for (const keyword of file.entries("keywords")) draft.add("subjects", keyword, keyword.text());
  addLicences(
    draft,
    file.entries("licenses", "license").map((licence) => ({
      spellings: [...Object.values(licence.texts("name", "type", "path", "url", "title")), licence.text()],
      place: licence.place,
    })),
  );
  for (const source of file.entries("sources")) {
    const relation = relatedTo("IsDerivedFrom", [source.text("path"), source.text("web")], source.text("title"));
    draft.add("relatedIdentifiers", source, relation);
  }
  const homepage = file.member("homepage");
  if (homepage !== undefined) {
    draft.add("relatedIdentifiers", homepage, relatedTo("IsDocumentedBy", [homepage.text()]));
  }
  const date = file.text("created");
  if (date !== undefined) draft.add("dates", file.member("created"), { date, dateType: "Created" });
  draft.add("alternateIdentifiers", file.member("id"), alternateIdentifier(file.text("id")));
}

/** Version 2 has a list `roles`, version 1 a text `role`. A creator who has other roles, too, is a creator. */
function roleOf(contributor: FileValue): string | undefined {
  const stated = contributor.entries("roles", "role").flatMap((role) => role.text() ?? []);
  const roles = stated.map((role) => ROLES.get(role.toLowerCase()) ?? knownRole(role));
  return roles.find((role) => role === "Creator") ?? roles.find((role) => role !== undefined);
}

function addContributor(contributor: FileValue, role: string | undefined, draft: Draft): void {
  // The first version also allowed texts such as “Josiah Carberry <josiah@example.org> (https://example.org)”.
  const name = contributor.text("title", "name") ?? contributor.text()?.replace(/ ?[<(].*$/s, "");
  const stated = {
    role,
    name,
    given: contributor.text("givenName"),
    family: contributor.text("familyName"),
    identifiers: Object.values(contributor.texts("path", "web", "orcid")),
    affiliations: affiliationOf(contributor.text("organization")),
  };
  addAuthors(stated, contributor.place, draft);
}
