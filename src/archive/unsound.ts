/** What lies in an archive is not what its receipt and logs say. The message is for the archive's keeper. */
export class Unsound extends Error {
  override readonly name = "Unsound";
}
