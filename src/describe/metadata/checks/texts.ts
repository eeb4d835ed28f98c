import { descriptionTypes, titleTypes } from "../../../../packages/rules/src/index.ts";
import { isMailAddress } from "../../../domain/blank.ts";
import type { NormalizedContact, NormalizedDescription, NormalizedTitle } from "../normalized.ts";
import * as schema from "../schema.ts";
import { address, checkOf, language, type Members, required, term } from "./members.ts";

export const checkTitle = checkOf<schema.Title, NormalizedTitle>(schema.Title, {
  title: required,
  titleType: term(titleTypes, "AlternativeTitle"),
  language,
});

export const checkFurtherDescription = checkOf<schema.Description, NormalizedDescription>(schema.Description, {
  description: required,
  descriptionType: term(descriptionTypes, "Other"),
  language,
});

export const checkSubjectTerm = checkOf<schema.SubjectTerm, schema.SubjectTerm>(schema.SubjectTerm, {
  subject: required,
  schemeUri: address,
  valueUri: address,
  language,
});

export const checkContact = checkOf<schema.Contact, NormalizedContact>(schema.Contact, {
  email: mailAddress,
  public: (contact) => contact.value("public") === true,
});

function mailAddress(contact: Members<schema.Contact>): string | undefined {
  const email = contact.required("email");
  if (email !== undefined && !isMailAddress(email)) {
    contact.findings.error(contact.at("email"), "mail_address_invalid", "The value is not a mail address.");
  }
  return email;
}
