/** The job queues. */
export const QUEUES = {
  list: "list",
  transfer: "transfer",
  verify: "verify",
  package: "package",
  probe: "probe",
  revise: "revise",
  publish: "publish",
  checkDoi: "check-doi",
  reserveDoi: "reserve-doi",
  checkAccount: "check-account",
  catalogue: "catalogue",
  audit: "audit",
  withdraw: "withdraw",
  discard: "discard",
  webhook: "webhook",
  mail: "mail",
} as const;

/** The key of the job that continues the publication of a version of a dataset. */
export function publicationKey(dataset: string, version: number): string {
  return `${dataset} ${version}`;
}

/**
 * The fair-share group of a submission: all submissions of one owner from one endpoint share one part of the workers. A slow
 * endpoint then occupies only the workers of its own group.
 */
export function fairShareGroup({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`;
}
