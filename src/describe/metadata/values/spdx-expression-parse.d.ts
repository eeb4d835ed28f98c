// The package has no type declarations. Its result is not used, only whether it throws.
declare module "spdx-expression-parse" {
  /** @throws Error if the text is not an SPDX expression. */
  export default function parse(expression: string): object;
}
