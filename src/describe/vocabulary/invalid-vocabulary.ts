/** A file that cannot be imported. The message says where and why, and how to fix it. */
export class InvalidVocabulary extends Error {
  override readonly name = "InvalidVocabulary";
}
