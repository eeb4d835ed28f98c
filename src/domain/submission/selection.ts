import { type Static, Type } from "typebox";
import { Problem, type Remark } from "../problems.ts";
import { pointerTo } from "../remarks.ts";
import { shapeFaults, textFaults, withoutEmpty } from "../shape.ts";
import { compileGlob } from "./glob.ts";

const mostPatterns = 100;
/** Maximum bytes (UTF-8) of a prefix or pattern; S3 keys are not longer. */
const mostBytes = 1_024;

const Patterns = (description: string, examples: string[][]) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: mostPatterns, description, examples }));

const GLOBS =
  "Each pattern is compared with the whole key. `*` and `?` do not match `/`, `**` does (docs/package-format.md#selections).";

/** Selects objects of the bucket. Patterns are those of {@link compileGlob}. */
export const Selection = Type.Object(
  {
    prefix: Type.Optional(
      Type.String({
        description: "Selects only keys that start with this text, at most 1,024 bytes. Paths in the dataset keep it.",
        examples: ["experiment-7/"],
      }),
    ),
    include: Patterns(`Patterns of keys to include. Without patterns, all keys are included. ${GLOBS}`, [["**.csv"]]),
    exclude: Patterns(`Patterns of keys to exclude, even if \`include\` matches them. ${GLOBS}`, [["**/.*"]]),
    refetch: Type.Optional(
      Type.Boolean({ description: "Whether to read all objects again, even unchanged objects of an earlier version." }),
    ),
  },
  {
    title: "Selection",
    additionalProperties: false,
    description: "The objects of the bucket to archive. Default: all objects.",
  },
);
export type Selection = Static<typeof Selection>;

/** The result of {@link checkSelection}. `selection` is present if there are no errors. */
interface SelectionCheck {
  selection?: Selection;
  errors: Remark[];
}

/**
 * Checks a selection as sent and reports all errors. An absent selection selects everything. Empty patterns are ignored.
 * @throws Problem as {@link withoutEmpty} does.
 */
export function checkSelection(sent: unknown, base = "/selection"): SelectionCheck {
  const value = withoutEmpty(sent) ?? {};
  const errors = [...shapeFaults(Selection, value, base), ...textFaults(value, base), ...ruleFaults(value, base)];
  if (errors.length > 0) return { errors };
  const selection = value as Selection;
  for (const list of ["include", "exclude"] as const) {
    const patterns = selection[list]?.filter((pattern) => pattern !== "") ?? [];
    if (patterns.length > 0) selection[list] = patterns;
    else delete selection[list];
  }
  return { selection, errors };
}

function ruleFaults(value: object, base: string): Remark[] {
  const { prefix, include, exclude } = value as Record<keyof Selection, unknown>;
  const faults: Remark[] = [];
  if (typeof prefix === "string" && Buffer.byteLength(prefix) > mostBytes) {
    faults.push({
      pointer: pointerTo(base, "prefix"),
      code: "prefix_invalid",
      detail: "The prefix is longer than 1,024 bytes.",
    });
  }
  for (const [name, patterns] of Object.entries({ include, exclude })) {
    if (!Array.isArray(patterns) || patterns.length > mostPatterns) continue;
    for (const [index, pattern] of patterns.entries()) {
      const detail = typeof pattern === "string" ? patternFault(pattern) : undefined;
      if (detail) faults.push({ pointer: pointerTo(base, name, index), code: "pattern_invalid", detail });
    }
  }
  return faults;
}

function patternFault(pattern: string): string | undefined {
  if (Buffer.byteLength(pattern) > mostBytes) return "The pattern is longer than 1,024 bytes.";
  if (!compileGlob(pattern))
    return "The pattern ends with a single backslash. Write two backslashes for a literal backslash.";
  return undefined;
}

/**
 * Returns a function that decides whether a key is selected: it begins with the prefix, matches an include pattern (if
 * there are any) and matches no exclude pattern.
 * @throws Problem `pattern_invalid` for a selection that {@link checkSelection} would refuse.
 */
export function compileSelection({ prefix = "", include = [], exclude = [] }: Selection): (key: string) => boolean {
  const included = include.map(compile);
  const excluded = exclude.map(compile);
  return (key) =>
    key.startsWith(prefix) &&
    (included.length === 0 || included.some((matches) => matches(key))) &&
    !excluded.some((matches) => matches(key));
}

function compile(pattern: string): (key: string) => boolean {
  const matches = compileGlob(pattern);
  if (!matches) throw new Problem("pattern_invalid");
  return matches;
}
