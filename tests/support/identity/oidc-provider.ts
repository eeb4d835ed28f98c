import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider, { type Adapter, type JWKS } from "oidc-provider";

const CLIENTS: Record<string, unknown> = {
  ada: "submitter",
  bob: ["submitter"],
  carla: ["curator", "something-else"],
  both: ["submitter", "curator"],
  root: ["admin"],
  guest: ["visitor"],
};
const SECRET = "a-client-secret-that-is-long-enough";
export const AUDIENCE = "urn:accession:test";

/** A real OpenID provider on loopback that issues access tokens (JWT) for client credentials. */
export interface OidcProvider extends AsyncDisposable {
  issuer: string;
  /** Number of requests for its keys. */
  keyRequests(): number;
  /** Requests a token from the provider. */
  token(client: string, audience?: string): Promise<string>;
  /** Signs a token with any claims, with the provider's key. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>;
  /** Replaces its keys. */
  rotate(): Promise<void>;
  /** Stops the server. `start` starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const server: Server = createServer((request, response) => handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  let asked = 0;
  let key: { jwk: JWK; privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"] };
  let handle: ReturnType<Provider["callback"]>;
  const rotate = async () => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = crypto.randomUUID();
    key = { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" } };
    const answer = provider(issuer, key.jwk).callback();
    handle = async (request, response) => {
      if (request.url === "/jwks") asked++;
      await answer(request, response);
    };
  };
  await rotate();
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    issuer,
    keyRequests: () => asked,
    rotate,
    stop,
    async start() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    async token(client, audience = AUDIENCE) {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${client}:${SECRET}`).toString("base64")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: audience }),
      });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`the provider gave no token: ${response.status}`);
      return token;
    },
    sign(claims, header = {}) {
      return new SignJWT({ iss: issuer, aud: AUDIENCE, sub: "ada", roles: ["submitter"], exp: soon(), ...claims })
        .setProtectedHeader({ alg: "RS256", kid: key.jwk.kid ?? "", typ: "at+jwt", ...header })
        .sign(key.privateKey);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Stores nothing: clients are in the settings, and tokens are self-contained. */
class EmptyStore implements Adapter {
  async upsert(): Promise<undefined> {}
  async find(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async consume(): Promise<undefined> {}
  async destroy(): Promise<undefined> {}
  async revokeByGrantId(): Promise<undefined> {}
}

function soon(): number {
  return Math.floor(Date.now() / 1000) + 60;
}

function provider(issuer: string, key: JWK): Provider {
  return new Provider(issuer, {
    adapter: EmptyStore,
    jwks: { keys: [key] } as JWKS,
    clients: Object.keys(CLIENTS).map((client_id) => ({
      client_id,
      client_secret: SECRET,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({ scope: "", audience, accessTokenFormat: "jwt" }),
      },
    },
    extraTokenClaims: (_context, token) => {
      const roles = CLIENTS[token.clientId ?? ""];
      return { roles, realm: { roles } };
    },
    ttl: { ClientCredentials: 600 },
  });
}
