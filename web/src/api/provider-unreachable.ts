/** The browser cannot reach the identity provider, or it did not respond in time. */
export class ProviderUnreachable extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
