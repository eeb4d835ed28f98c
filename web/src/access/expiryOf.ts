/** The end of an access as it is entered: a day, or empty for the default of the service. */
export function expiryOf(day: string): { expiresAt?: string } {
  // The whole day counts, in UTC like embargoes.
  return day === "" ? {} : { expiresAt: `${day}T23:59:59.000Z` };
}
