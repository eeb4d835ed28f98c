import { Type } from "typebox";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { nullable } from "../schemas/basics.ts";

const SignIn = Type.Object(
  {
    method: Type.Enum(["none", "tokens", "oidc"], {
      description: "`none`: nobody is asked; `tokens`: a token of this service; `oidc`: one of its OpenID provider.",
    }),
    provider: nullable(
      Type.Object(
        {
          issuer: Type.String({ description: "The OpenID provider, as it names itself." }),
          clientId: nullable(
            Type.String(),
            "As which client pages sign people in; null where the operator has set up none.",
          ),
          scope: Type.String({ description: "What to ask the provider for." }),
          resource: nullable(Type.String(), "The resource to ask it for (RFC 8707); null where none is to be named."),
        },
        { title: "IdentityProvider", description: "Where callers sign in." },
      ),
      "Set with `oidc`.",
    ),
  },
  { title: "SignIn", description: "How callers sign in." },
);

const ServiceView = Type.Object(
  {
    version: Type.String({ description: "Of the software." }),
    publisher: Type.String({ description: "Whom packages and exports name as the publisher." }),
    sendsMail: Type.Boolean({ description: "Whether submitters can be told by e-mail (`notify`)." }),
    signIn: SignIn,
  },
  { title: "Service", description: "What a client has to know before anybody has signed in." },
);

/** What a client has to know of the service before anybody has signed in. */
export function service(server: Server, context: HttpContext): void {
  server.get(
    "/service",
    {
      schema: {
        operationId: "getService",
        summary: "Say what this service is",
        description:
          "What a page has to know before anybody has signed in: the version, how to sign in, what is offered.",
        tags: ["Operating"],
        response: {
          200: answer(ServiceView, {
            description: "What it is.",
            example: {
              version: "0.1.0",
              publisher: "Accession",
              sendsMail: false,
              signIn: {
                method: "oidc",
                provider: {
                  issuer: "https://id.example.org/realms/lab",
                  clientId: "accession-page",
                  scope: "openid profile email",
                  resource: null,
                },
              },
            },
          }),
        },
      },
    },
    async () => {
      const { version, publisher, signIn, intake } = context;
      const { method } = signIn;
      const provider = signIn.method === "oidc" ? { ...signIn, method: undefined } : null;
      return { version, publisher: publisher.name, sendsMail: intake.sendsMail, signIn: { method, provider } };
    },
  );
}
