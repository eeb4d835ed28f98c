import { Type } from "typebox";
import { vocabularyKinds } from "../../db/vocabularies.ts";
import { documented, operation } from "../operation.ts";
import { flag, list, nullable, object, text, textOrNull, VocabularyKind } from "../schemas/basics.ts";

const SignIn = object("SignIn", "The sign-in method of the service.", {
  method: Type.Enum(["none", "tokens", "oidc"], {
    description:
      "How callers authenticate: `none` (no sign-in), `tokens` (a token of this service) or `oidc` (a token of its OpenID provider).",
  }),
  provider: nullable(
    object("IdentityProvider", "The OpenID provider.", {
      issuer: text("Issuer identifier of the OpenID provider."),
      clientId: textOrNull("Client id with which web pages sign users in; null if the operator has configured none."),
      scope: text("Scopes to request from the provider."),
      resource: textOrNull("Resource to request (RFC 8707); null for none."),
    }),
    "OpenID provider; set if `method` is `oidc`.",
  ),
});

const ServiceLink = object("ServiceLink", "A link of the operator.", {
  text: text("Text of the link."),
  url: text("The address of a web page, or `mailto:` with a mail address."),
});

const ServiceView = object("Service", "Information about the service that clients need before sign-in.", {
  version: text("Version of the software."),
  commit: textOrNull("Commit from which the software was built; null if it is not known."),
  publisher: text("Publisher in packages and exports."),
  links: object(
    "ServiceLinks",
    "Links to imprint, privacy notice and contact, by the language of the page that shows them. Empty lists if the operator has configured none.",
    { en: list(ServiceLink, "With English texts."), de: list(ServiceLink, "With German texts.") },
  ),
  sendsMail: flag("Whether the service can notify submitters by e-mail (`notify`)."),
  publication: Type.Enum(["off", "review", "direct"], {
    title: "PublicationMode",
    description:
      "Whether the service publishes datasets: `off` (it only archives them), `review` (curators review them before publication) or `direct` (owners publish them without review).",
  }),
  registersDois: flag("Whether published datasets get DOIs, and DOIs can be reserved."),
  signIn: SignIn,
  acceptsUploads: flag(
    "Whether files can be sent to the service (`POST /uploads`) instead of being read from a bucket.",
  ),
  listingTimeout: Type.Integer({
    minimum: 1,
    description:
      "Number of seconds that the service waits for the first page of a bucket’s listing. Requests that check a bucket can take half a minute longer.",
  }),
  fieldGroups: list(Type.String(), "Names of the groups of additional metadata fields; see `GET /field-groups`."),
  vocabularies: list(
    VocabularyKind,
    "Kinds of vocabularies that can be searched. Empty if the operator has imported none.",
  ),
});

/** Returns what a client needs to know about the service before sign-in. */
export const service = operation({
  route: "GET /service",
  operationId: "getService",
  summary: "Retrieve service information",
  description:
    "Returns what clients need before sign-in: the version, the sign-in method and the available features. No authentication is needed.",
  tag: "Operating",
  response: {
    200: documented(ServiceView, {
      description: "The service information.",
      example: {
        version: "0.1.0",
        commit: "8c027db3c1a4f1f6d2b7a9b0e5d3c8f7a6b5c4d3",
        publisher: "Accession",
        links: {
          en: [{ text: "Imprint", url: "https://example.org/imprint" }],
          de: [{ text: "Impressum", url: "https://example.org/impressum" }],
        },
        sendsMail: false,
        publication: "review",
        registersDois: true,
        signIn: {
          method: "oidc",
          provider: {
            issuer: "https://id.example.org/realms/lab",
            clientId: "accession-page",
            scope: "openid profile email",
            resource: null,
          },
        },
        acceptsUploads: true,
        listingTimeout: 120,
        fieldGroups: ["plants"],
        vocabularies: ["organisations", "subjects"],
      },
    }),
  },
  handler: async (context) => {
    const { version, commit, publisher, branding, signIn, intake, publication, receiver } = context;
    const { method } = signIn;
    const provider = signIn.method === "oidc" ? { ...signIn, method: undefined } : null;
    return {
      version,
      commit,
      publisher: publisher.name,
      links: { en: [...branding.links.en], de: [...branding.links.de] },
      sendsMail: intake.sendsMail,
      publication: publication.mode,
      registersDois: publication.registersDois,
      signIn: { method, provider },
      acceptsUploads: receiver !== undefined,
      listingTimeout: Math.ceil(intake.egress.listingTimeoutMs / 1_000),
      fieldGroups: intake.fieldGroups.map(({ name }) => name),
      vocabularies: await vocabularyKinds(context.db),
    };
  },
});
