import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type JWKS } from "oidc-provider";
import { AUDIENCE } from "./oidc-provider.ts";

/** The client ID of the page. */
export const PAGE_CLIENT = "accession-page";

/**
 * A real OpenID provider on loopback at which a user signs in without a password. Its token endpoint has another origin
 * than its issuer, like that of some real providers.
 */
export interface SignInProvider extends AsyncDisposable {
  issuer: string;
  /** Origin of the token endpoint. */
  tokenOrigin: string;
  /** Number of token responses: after a sign-in, and for refresh tokens. */
  tokens(): { first: number; renewed: number };
  /** Registers the page of a service, at the service’s address. Must be called before the first sign-in. */
  registerPage(service: string): void;
}

/** @param seconds validity of an access token */
export async function startSignInProvider(seconds = 600): Promise<SignInProvider> {
  let answer = (_request: IncomingMessage, response: ServerResponse): unknown => response.writeHead(503).end();
  const servers = [0, 1].map(() => createServer((request, response) => void answer(request, response)));
  const [issuer = "", tokenOrigin = ""] = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, "127.0.0.1"), "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), kid: "one", alg: "RS256", use: "sig" }] } as JWKS;
  const given = { first: 0, renewed: 0 };
  return {
    issuer,
    tokenOrigin,
    tokens: () => ({ ...given }),
    registerPage(service) {
      const provider = createProvider(issuer, jwks, `${service}/app/`, seconds);
      provider.on("grant.success", (context) => {
        given[context.oidc.params?.grant_type === "refresh_token" ? "renewed" : "first"]++;
      });
      const others = provider.callback();
      answer = (request, response) => {
        if (request.url?.startsWith("/interaction/")) return completeInteraction(provider, request, response);
        const isDescription = request.url?.startsWith("/.well-known/openid") && request.headers.host === host(issuer);
        return isDescription ? describe(issuer, tokenOrigin, response) : others(request, response);
      };
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

const host = (address: string) => new URL(address).host;

/** Responds with the provider’s description. Only the token endpoint has the other origin. */
async function describe(issuer: string, tokenOrigin: string, response: ServerResponse): Promise<void> {
  const own = await (await fetch(`${tokenOrigin}/.well-known/openid-configuration`)).text();
  const { token_endpoint } = JSON.parse(own) as { token_endpoint: string };
  const all = JSON.parse(own.replaceAll(tokenOrigin, issuer)) as object;
  response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
  response.end(JSON.stringify({ ...all, token_endpoint }));
}

/** Signs every user in as Ada and grants consent. */
async function completeInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "ada" } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  grant.addResourceScope(AUDIENCE, "");
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
}

function createProvider(issuer: string, jwks: JWKS, page: string, seconds: number): Provider {
  return new Provider(issuer, {
    jwks,
    clients: [
      {
        client_id: PAGE_CLIENT,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        redirect_uris: [`${page}signed-in`],
        post_logout_redirect_uris: [page],
        application_type: "native",
      },
    ],
    clientBasedCORS: () => true,
    cookies: { keys: ["a key of the test"] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
          context.body = `<!doctype html><html lang="en"><title>Sign out</title>${form}${button}</html>`;
        },
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, audience) => ({ scope: "", audience, accessTokenFormat: "jwt" }),
      },
    },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    extraTokenClaims: () => ({ roles: ["submitter"] }),
    issueRefreshToken: async () => true,
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: { AccessToken: seconds, Grant: 600, IdToken: 600, Interaction: 600, Session: 600, RefreshToken: 600 },
  });
}
