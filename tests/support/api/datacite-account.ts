import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DataciteServer,
  type DataciteServerOptions,
  startDataciteServer,
} from "../../../packages/datacite-test-server/src/index.ts";

/** The only account of the server, which may register DOIs for all domains. */
export const dataciteAccount = {
  repository: "TEST.REPO",
  password: "secret-of-datacite",
  prefixes: ["10.5072"],
  domains: ["*"],
};

/** A look-alike of DataCite with one account, and the settings of a service that uses this account. */
export interface DataciteAccount {
  server: DataciteServer;
  /** @param url of a proxy in front of the server */
  settings: (url?: string) => Record<string, string>;
  /** Restores the account and removes all faults. */
  reset: () => void;
  close: () => Promise<void>;
}

/** Starts the server. Handles are registered 20 ms after a DOI, unless the options say otherwise. */
export async function openDatacite(options: DataciteServerOptions = {}): Promise<DataciteAccount> {
  const server = await startDataciteServer({ accounts: [{ ...dataciteAccount }], registrationMs: 20, ...options });
  const folder = await mkdtemp(join(tmpdir(), "accession-datacite-"));
  const password = join(folder, "password");
  await writeFile(password, `${dataciteAccount.password}\n`);
  return {
    server,
    settings: (url = server.url) => ({
      ACCESSION_DATACITE_URL: url,
      ACCESSION_DATACITE_REPOSITORY: dataciteAccount.repository,
      ACCESSION_DATACITE_PASSWORD_FILE: password,
      ACCESSION_DATACITE_PREFIX: "10.5072",
    }),
    reset() {
      server.clearFaults();
      Object.assign(server.accounts[0] ?? {}, dataciteAccount);
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
