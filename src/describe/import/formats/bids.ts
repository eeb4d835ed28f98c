import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addThanks, fundingIn } from "./funding-text.ts";
import { addLicences } from "./licence-choice.ts";
import { alternateIdentifier, identifierIn, relatedTo } from "./links.ts";
import { addAuthors } from "./people.ts";

/** Fills a draft from the `dataset_description.json` of a BIDS dataset. */
export function fromBids(file: FileValue, draft: Draft): void {
  draft.setText("title", file.member("Name"));
  draft.setText("description", file.member("Description"));
  draft.setText("acknowledgements", file.member("Acknowledgements"));
  for (const name of ["HowToAcknowledge", "EthicsApprovals"]) {
    for (const entry of file.entries(name)) {
      const description = entry.text();
      if (description !== undefined) draft.add("descriptions", entry, { description, descriptionType: "Other" });
    }
  }
  for (const entry of file.entries("Authors")) {
    addAuthors({ role: "Creator", name: entry.text() }, entry.place, draft);
  }
  for (const keyword of file.entries("Keywords")) draft.add("subjects", keyword, keyword.text());
  const licence = file.member("License");
  if (licence !== undefined) addLicences(draft, [{ spellings: [licence.text()], place: licence.place }]);
  for (const funding of file.entries("Funding")) {
    const text = funding.text() ?? "";
    const stated = fundingIn(text);
    if (stated === undefined) addThanks(text, funding.place, draft);
    else draft.add("fundingReferences", funding, stated);
  }
  for (const link of file.entries("ReferencesAndLinks")) {
    const text = link.text();
    const isIdentifier = identifierIn(text) !== undefined;
    draft.add("relatedIdentifiers", link, relatedTo("References", [text], isIdentifier ? undefined : text));
  }
  for (const source of file.entries("SourceDatasets")) {
    draft.add("relatedIdentifiers", source, relatedTo("IsDerivedFrom", [source.text("DOI"), source.text("URL")]));
  }
  const doi = file.member("DatasetDOI");
  draft.add("alternateIdentifiers", doi, alternateIdentifier(doi?.text()));
}
