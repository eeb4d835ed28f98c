export type { Account } from "./accounts.ts";
export type { DoiRecord, State } from "./dois.ts";
export type { Fault, FaultMatch, FaultRule } from "./faults.ts";
export { DataciteServer, type DataciteServerOptions, type RequestRecord, startDataciteServer } from "./server.ts";
