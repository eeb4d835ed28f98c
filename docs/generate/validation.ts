import { KNOWN_ALGORITHMS, referenceOf, unreportedCodes } from "../../packages/ocfl/src/index.ts";
import { advice, codes, type ServiceCodeEntry } from "../../src/archive/validation/codes.ts";
import { generated, table } from "./table.ts";

/** docs/validation.md: what `accession verify` checks, and every code that it reports. */
export function validationPage(): string {
  const given = Object.entries<ServiceCodeEntry>(codes);
  const rows = (wanted: RegExp) => given.filter(([code]) => wanted.test(code)).map(codeRow);
  const heads = ["Code", "Meaning", "Action"];
  return `${generated("packages/ocfl/src/codes.ts and src/archive/validation/codes.ts")}

# Validation

For operators and archivists. This page describes what \`accession verify [folder]\` checks, what each code means, and what to
do. The command checks an OCFL 1.0 or 1.1 storage root, or a single object, of any software. It reads every content file
once, follows no links, opens only regular files, and writes nothing.

- **Output:** in a terminal, findings are grouped by code, with at most ten examples of each and advice. With \`--json\` or in a
  pipe the command prints one line per finding, \`{code, severity, path, detail, reference}\`, and a summary,
  \`{ok, folder, objects, files, bytes, versions, receiptsVerified, receipts}\`. \`receipts\` is \`signer established\` if every
  version has a receipt with a valid signature, otherwise \`signer not established\`. At most 10,000 errors and 10,000 warnings
  are listed.
- **Exit code:** 0 without errors, 1 with errors, 2 if the folder does not exist. Warnings do not count.
- **Type of folder:** an OCFL declaration (a file such as \`0=ocfl_1.1\` or \`0=ocfl_object_1.1\`) determines the type.
  Without one, a folder with an inventory, a version folder or only files is checked as an object, and any other folder as a
  storage root. For the folder of an archive, \`ocfl/\` is checked.
- **Digests:** fixity digests are compared if they use one of these algorithms. Others cause a warning (W000).
  ${KNOWN_ALGORITHMS.map((name) => `\`${name}\``).join(", ")}.
- **Layouts:** locations of objects are compared with their ids for the layouts 0002, 0003, 0004, 0006 and 0007. Other
  registered layouts are accepted without this check, and so are extensions with later numbers.
- **Limits:** memory use is 100 to 150 bytes for each path and digest of one object, whatever the number of files. The
  command rejects JSON strings of more than 16 MiB, paths of more than 32,768 characters or 1,024 segments, and objects with
  more than 100,000 versions (E000).

The command cannot find hard links, sidecars of objects without an inventory, or datasets that were deleted completely.

## Codes of the specification

These are the [validation codes of OCFL 1.1](https://ocfl.io/1.1/spec/validation-codes.html). If the specification allows several
codes, the code used in the fixtures of the OCFL community is reported.

${table(heads, rows(/^[EW](?!000)\d/))}

For objects and storage roots of OCFL 1.0, rules that were added in 1.1 are reported with these codes:

${table(["Code in 1.1", "In 1.0"], given.filter(([, { in10 }]) => in10 !== undefined).map(in10Row))}

OCFL 1.0 does not require that a version uses each digest of the manifest. OCFL 1.1 added this rule (E107). Therefore an object of
OCFL 1.0 with an unused digest is valid here and causes a warning (W000). Other validators report an error.

## Codes of Accession

The codes about logs and receipts refer to the [package format](package-format.md#logs).

${table(heads, rows(/^[EW][LP]|^[EW]000/))}

## Actions

In an archive of Accession, [Restore a damaged dataset](operating.md#restore-a-damaged-dataset) describes the action \`restore\`.

${table(["Action", "Description"], Object.entries(advice))}

## Codes that are not reported

${table(
  ["Code", "Reason"],
  Object.entries(unreportedCodes).map(([code, why]) => [`\`${code}\``, why]),
)}
`;
}

function codeRow([code, { means, advice: what }]: [string, ServiceCodeEntry]): string[] {
  const reference = referenceOf(code as keyof typeof codes);
  return [reference === undefined ? `\`${code}\`` : `[\`${code}\`](${reference})`, means, what];
}

function in10Row([code, { in10 }]: [string, ServiceCodeEntry]): string[] {
  return [`\`${code}\``, `\`${in10}\``];
}
