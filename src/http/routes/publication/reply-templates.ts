import { Type } from "typebox";
import { documented, operation } from "../../operation.ts";
import { object, text } from "../../schemas/basics.ts";

const ReplyTemplateView = object("ReplyTemplate", "A prepared text for the comment of a curator.", {
  language: text("Language of the text (BCP 47)."),
  title: text("Title, unique in its language."),
  text: text("The text as Markdown."),
});

/** Lists the reply templates that the operator has configured. */
export const replyTemplateList = operation({
  route: "GET /reply-template",
  operationId: "listReplyTemplates",
  summary: "List reply templates",
  description:
    "Returns the texts that the operator has prepared for comments of curators, in the order and in the languages of the setting `ACCESSION_REPLY_TEMPLATES`. A curator inserts one into a comment and completes it. For curators and admins.",
  tag: "Publication",
  response: {
    200: documented(Type.Array(ReplyTemplateView), {
      description: "The templates; empty if the operator has configured none.",
      example: [{ language: "en", title: "Missing licence", text: "Please choose a licence, such as CC BY 4.0." }],
    }),
  },
  handler: async ({ publication }) => [...publication.replyTemplates],
});
