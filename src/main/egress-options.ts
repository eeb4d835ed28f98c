import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import type { Config } from "../platform/config/config.ts";
import type { EgressOptions } from "../source/s3/transport/egress.ts";

/** How the service connects to the servers of submitters. @throws the file system's error for the certificate authorities */
export async function egressOptionsOf(config: Config): Promise<EgressOptions> {
  return {
    policy: { allowPrivate: config.privateEndpoints, networks: config.allowNetworks },
    connections: config.sourceConnections,
    listingTimeoutMs: config.sourceListingTimeoutMs,
    ...(config.sourceCaFile && { ca: [...rootCertificates, await readFile(config.sourceCaFile, "utf8")] }),
    ...(config.egressProxy && { proxy: config.egressProxy }),
    ...(config.sts && { sts: config.sts }),
  };
}
