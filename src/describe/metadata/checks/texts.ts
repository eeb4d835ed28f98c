import { isMailAddress } from "../../../domain/blank.ts";
import { withoutUndefined } from "../../../domain/shape.ts";
import type {
  NormalizedContact,
  NormalizedDescription,
  NormalizedSubjectTerm,
  NormalizedTitle,
} from "../normalized.ts";
import * as schema from "../schema.ts";
import { descriptionTypes, titleTypes } from "../values/terms.ts";
import type { Members } from "./members.ts";

export function checkTitle(title: Members<schema.Title>): NormalizedTitle | undefined {
  title.checkUnknown(schema.Title);
  const stated = title.required("title");
  const titleType = title.term("titleType", titleTypes) ?? "AlternativeTitle";
  const language = title.language("language");
  return stated === undefined ? undefined : withoutUndefined<NormalizedTitle>({ title: stated, titleType, language });
}

export function checkFurtherDescription(text: Members<schema.Description>): NormalizedDescription | undefined {
  text.checkUnknown(schema.Description);
  const description = text.required("description");
  const descriptionType = text.term("descriptionType", descriptionTypes) ?? "Other";
  const language = text.language("language");
  if (description === undefined) return undefined;
  return withoutUndefined<NormalizedDescription>({ description, descriptionType, language });
}

export function checkSubjectTerm(term: Members<schema.SubjectTerm>): NormalizedSubjectTerm | undefined {
  term.checkUnknown(schema.SubjectTerm);
  const subject = term.required("subject");
  const rest = {
    subjectScheme: term.text("subjectScheme"),
    schemeUri: term.address("schemeUri"),
    valueUri: term.address("valueUri"),
    classificationCode: term.text("classificationCode"),
    language: term.language("language"),
  };
  return subject === undefined ? undefined : withoutUndefined<NormalizedSubjectTerm>({ subject, ...rest });
}

export function checkContact(contact: Members<schema.Contact>): NormalizedContact | undefined {
  contact.checkUnknown(schema.Contact);
  const email = contact.required("email");
  if (email !== undefined && !isMailAddress(email)) {
    contact.findings.error(contact.at("email"), "mail_address_invalid", "The value is not a mail address.");
  }
  if (email === undefined) return undefined;
  const isPublic = contact.value("public") === true;
  return withoutUndefined<NormalizedContact>({ name: contact.text("name"), email, public: isPublic });
}
