/** Whether the files of a submission were sent to the service, instead of being read from a bucket. */
export function isUpload({ endpoint }: { endpoint: string }): boolean {
  return endpoint === "upload";
}
