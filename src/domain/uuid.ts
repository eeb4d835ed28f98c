const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id that the service gives. Databases refuse to compare other texts with ids. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The dataset's identifier if it has no DOI. It stands for all versions. */
export function datasetUrn(datasetId: string): string {
  return `urn:uuid:${datasetId}`;
}

/** The UUID of an id that may have the prefix of receipts and packages, `urn:uuid:`. */
export function uuidOf(id: string): string {
  return id.replace(/^urn:uuid:/, "");
}
