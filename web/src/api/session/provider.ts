import type { components } from "@accession/client";
import { ErrorTimeout, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { ProviderUnreachable, renewSession, signIn } from "./session.ts";

export type Provider = components["schemas"]["IdentityProvider"];

/** Maximum time for a response of the provider. */
const ANSWER_SECONDS = 30;

let manager: UserManager | undefined;

/**
 * Leads to the identity provider (authorization code with PKCE).
 * @param from where in the page to come back to
 * @throws ProviderUnreachable
 */
export async function goToProvider(provider: Provider, from: string): Promise<void> {
  await managerOf(provider).signinRedirect({ state: from }).catch(explain);
}

/**
 * Completes a sign-in from the address to which the provider redirected. Returns the path to return to. An address can be
 * used once.
 * @throws ProviderUnreachable, or what the provider says
 */
export async function comeFromProvider(provider: Provider): Promise<string> {
  const user = await managerOf(provider).signinCallback(location.href).catch(explain);
  if (user === undefined) throw new Error("The identity provider returned no user");
  signIn({ token: user.access_token, from: "provider" });
  return typeof user.state === "string" ? user.state : "/";
}

/** `fetch` throws a TypeError if there is no connection, or if the policy of the page forbids it. */
function explain(error: unknown): never {
  if (error instanceof TypeError || error instanceof ErrorTimeout) throw new ProviderUnreachable(error);
  throw error;
}

/** Resumes the renewal of the token after the page was reloaded. */
export async function resume(provider: Provider): Promise<void> {
  const user = await managerOf(provider).getUser();
  if (user?.expired) await renew();
}

/** Deletes the user of the session, and signs out at the provider if it supports that. */
export async function leaveProvider(provider: Provider): Promise<void> {
  const manager = managerOf(provider);
  const { end_session_endpoint } = await manager.metadataService.getMetadata();
  if (end_session_endpoint === undefined) await manager.removeUser();
  else await manager.signoutRedirect();
}

function managerOf({ issuer, clientId, scope, resource }: Provider): UserManager {
  if (manager !== undefined) return manager;
  if (clientId === null) throw new Error("The page is not registered with the identity provider");
  const kept = new WebStorageStateStore({ store: sessionStorage });
  manager = new UserManager({
    authority: issuer,
    client_id: clientId,
    scope,
    redirect_uri: new URL("signed-in", document.baseURI).href,
    post_logout_redirect_uri: document.baseURI,
    userStore: kept,
    stateStore: kept,
    // The page’s content security policy forbids hidden frames, which silent renewal without refresh token needs.
    automaticSilentRenew: false,
    monitorSession: false,
    requestTimeoutInSeconds: ANSWER_SECONDS,
    ...(resource !== null && { resource }),
  });
  manager.events.addAccessTokenExpiring(() => void renew());
  return manager;
}

/** Renews the token with a refresh token. Without one, the user signs in again when the token expires. */
async function renew(): Promise<void> {
  const user = await manager?.getUser();
  if (user?.refresh_token === undefined) return;
  // One that fails is a token that expires: the service says so, and the page asks to sign in.
  const renewed = await manager?.signinSilent().catch(() => null);
  if (renewed) renewSession(renewed.access_token);
}
