/** Functions that tell whether a part of the page has files that wait until the user has signed in again. */
const parts: (() => boolean)[] = [];

/** Adds a part of the page, which the sign-in page cannot know. */
export function addUnsent(isWaiting: () => boolean): void {
  parts.push(isWaiting);
}

/** Whether files wait until the user has signed in again. */
export function waitsForSignIn(): boolean {
  return parts.some((isWaiting) => isWaiting());
}
