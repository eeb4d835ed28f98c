/**
 * The program that creates the embedded database. It runs in a separate process, because the memory for creating a cluster
 * (about 200 MB more than for running it) would otherwise never be released by the service.
 */
import { makeCluster } from "./cluster.ts";

await makeCluster(process.argv[2] ?? "", (cause) => {
  console.error(cause);
  process.exit(1);
});
