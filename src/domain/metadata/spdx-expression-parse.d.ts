// The package has no types of its own; of its result only the fact that there is one is used.
declare module "spdx-expression-parse" {
  /** @throws Error when the text is no SPDX expression. */
  export default function parse(expression: string): object;
}
