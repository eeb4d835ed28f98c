/**
 * The program that makes the embedded database. It is a process of its own because what making a cluster takes in memory
 * (some 200 MB more than running it) would stay with the service as long as it runs.
 */
import { makeCluster } from "./cluster.ts";

await makeCluster(process.argv[2] ?? "", (cause) => {
  console.error(cause);
  process.exit(1);
});
