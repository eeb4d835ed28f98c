import { knownRole } from "../../metadata/values/roles.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addLicences } from "./licence-choice.ts";
import { identifierIn, relatedTo } from "./links.ts";
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
  const [title, description, version] = ["title", "description", "version"].map((name) => file.member(name));
  draft.set("title", title?.text(), title?.place ?? "");
  draft.set("description", plainText(description?.text()), description?.place ?? "");
  draft.set("versionLabel", version?.text(), version?.place ?? "");
  for (const author of file.entries("author")) addContributor(author, "Creator", draft);
  for (const contributor of file.entries("contributors")) addContributor(contributor, roleOf(contributor), draft);
  for (const keyword of file.entries("keywords")) draft.add("subjects", keyword.text(), keyword.place);
  addLicences(
    draft,
    file.entries("licenses", "license").map((licence) => ({
      spellings: [
        licence.text("name"),
        licence.text("type"),
        licence.text("path"),
        licence.text("url"),
        licence.text("title"),
        licence.text(),
      ],
      place: licence.place,
    })),
  );
  for (const source of file.entries("sources")) {
    const relation = relatedTo("IsDerivedFrom", [source.text("path"), source.text("web")], source.text("title"));
    draft.add("relatedIdentifiers", relation, source.place);
  }
  const homepage = file.member("homepage");
  if (homepage !== undefined) {
    draft.add("relatedIdentifiers", relatedTo("IsDocumentedBy", [homepage.text()]), homepage.place);
  }
  const [date, created] = [file.text("created"), file.member("created")];
  if (date !== undefined) draft.add("dates", { date, dateType: "Created" }, created?.place ?? "");
  const id = file.member("id");
  const known = identifierIn(id?.text());
  const identifier = known && { alternateIdentifier: known.identifier, alternateIdentifierType: known.type };
  draft.add("alternateIdentifiers", identifier, id?.place ?? "");
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
    identifiers: [contributor.text("path"), contributor.text("web"), contributor.text("orcid")],
    affiliations: affiliationOf(contributor.text("organization")),
  };
  addAuthors(stated, contributor.place, draft);
}
