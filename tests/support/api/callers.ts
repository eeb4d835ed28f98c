import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { Role } from "../../../src/people/route-permissions.ts";
import type { TestService } from "../program/service.ts";
import type { Answer } from "./api.ts";

/** Settings of a service with authentication by token and without rate limits. */
export const TOKENS = { ACCESSION_AUTH: "tokens", ACCESSION_RATE_LIMIT: "0", ACCESSION_RATE_LIMIT_SIGN_IN: "0" };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What is needed of a service to sign in at it. */
type Signing = Pick<TestService, "data" | "api">;

export interface Issued {
  id: string;
  token: string;
}

/** Creates tokens as the first admin, whose own token is created with the one-time token. */
export class Tokens {
  readonly admin: string;
  readonly #service: Signing;

  private constructor(service: Signing, admin: string) {
    this.#service = service;
    this.admin = admin;
  }

  static async open(service: Signing): Promise<Tokens> {
    const first = (await readFile(join(service.data, "admin-token"), "utf8")).trim();
    const { token } = await create(service, first, { name: "root", role: "admin" });
    return new Tokens(service, token);
  }

  async create(name: string, role: Role, more: object = {}): Promise<Issued> {
    return create(this.#service, this.admin, { name, role, ...more });
  }

  /** Creates a token and waits until it has expired. */
  async expired(name: string, role: Role): Promise<string> {
    const { token } = await this.create(name, role, { expiresAt: new Date(Date.now() + 300) });
    await vi.waitUntil(async () => (await this.#service.api.get("/submission", bearer(token))).status === 401);
    return token;
  }

  async revoked(name: string, role: Role): Promise<string> {
    const { id, token } = await this.create(name, role);
    const answer = await this.revoke(id);
    if (answer.status !== 204) throw new Error(`not revoked: ${answer.status} ${answer.text}`);
    return token;
  }

  revoke(id: string): Promise<Answer> {
    return this.#service.api.send(`/token/${id}`, { method: "DELETE", headers: bearer(this.admin) });
  }
}

async function create(service: Signing, as: string, body: object): Promise<Issued> {
  const { status, text, json } = await service.api.post("/token", body, bearer(as));
  if (status !== 201) throw new Error(`no token: ${status} ${text}`);
  return json as Issued;
}
