import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addThanks, fundingIn } from "./funding-text.ts";
import { addLicences } from "./licence-choice.ts";
import { identifierIn, relatedTo } from "./links.ts";
import { addAuthors } from "./people.ts";

/** Fills a draft from the `dataset_description.json` of a BIDS dataset. */
export function fromBids(file: FileValue, draft: Draft): void {
  const [title, description, thanks] = ["Name", "Description", "Acknowledgements"].map((name) => file.member(name));
  draft.set("title", title?.text(), title?.place ?? "");
  draft.set("description", description?.text(), description?.place ?? "");
  draft.set("acknowledgements", thanks?.text(), thanks?.place ?? "");
  for (const name of ["HowToAcknowledge", "EthicsApprovals"]) {
    for (const entry of file.entries(name)) draft.add("descriptions", otherDescription(entry.text()), entry.place);
  }
  for (const entry of file.entries("Authors")) {
    addAuthors({ role: "Creator", name: entry.text() }, entry.place, draft);
  }
  for (const keyword of file.entries("Keywords")) draft.add("subjects", keyword.text(), keyword.place);
  const licence = file.member("License");
  if (licence !== undefined) addLicences(draft, [{ spellings: [licence.text()], place: licence.place }]);
  for (const funding of file.entries("Funding")) {
    const text = funding.text() ?? "";
    const stated = fundingIn(text);
    if (stated === undefined) addThanks(text, funding.place, draft);
    else draft.add("fundingReferences", stated, funding.place);
  }
  for (const link of file.entries("ReferencesAndLinks")) {
    const text = link.text();
    const isIdentifier = identifierIn(text) !== undefined;
    draft.add("relatedIdentifiers", relatedTo("References", [text], isIdentifier ? undefined : text), link.place);
  }
  for (const source of file.entries("SourceDatasets")) {
    draft.add("relatedIdentifiers", relatedTo("IsDerivedFrom", [source.text("DOI"), source.text("URL")]), source.place);
  }
  const doi = file.member("DatasetDOI");
  const known = identifierIn(doi?.text());
  const identifier = known && { alternateIdentifier: known.identifier, alternateIdentifierType: known.type };
  draft.add("alternateIdentifiers", identifier, doi?.place ?? "");
}

function otherDescription(description: string | undefined) {
  return description === undefined ? undefined : { description, descriptionType: "Other" };
}
