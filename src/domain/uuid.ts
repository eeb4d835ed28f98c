const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id that the service gives. Databases refuse to compare other texts with ids. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
