/** How to fix what a finding names. */
export const advice = {
  restore: "A file was changed or is missing. Restore it from another copy, and find out what changed it.",
  remove:
    "A file or folder is in a place where it must not be. Find out which software wrote it, and move it out of the storage root.",
  rewrite:
    "The files that describe the object violate the specification. Its content may be intact. Use the software that wrote them to write them again.",
  arrange:
    "The storage root does not follow its declared layout. Move the object, or correct the files of the storage root.",
  access: "Make the file or folder readable, correct the other findings, and run the check again.",
  nothing: "No action is needed. OCFL recommends a different form, but the object is valid.",
} as const;

export type Advice = keyof typeof advice;

export interface CodeEntry {
  /** The meaning of the code, in the words of this package. */
  means: string;
  advice: Advice;
  /** The code in OCFL 1.0, if it differs; `W000` if OCFL 1.0 has no such rule. */
  in10?: string;
}

/**
 * Every code that a validation reports. E… are errors, W… warnings. They are those of the OCFL 1.1 specification
 * (https://ocfl.io/1.1/spec/validation-codes.html), except for E000 and W000, which this package defines.
 */
export const codes = {
  E000: {
    means: "A file or folder could not be checked, or there are more findings than are listed",
    advice: "access",
  },
  E001: { means: "An object’s folder contains a file or folder that does not belong there", advice: "remove" },
  E003: { means: "An object has no declaration (`0=ocfl_object_1.1`), or several", advice: "rewrite" },
  E004: { means: "An object declares a version of OCFL other than 1.0 and 1.1", advice: "rewrite" },
  E005: { means: "The name of an object’s declaration does not begin with `0=`", advice: "rewrite" },
  E006: { means: "An object’s declaration does not declare an object", advice: "rewrite" },
  E007: { means: "The content of an object’s declaration does not match its name", advice: "rewrite" },
  E008: { means: "An inventory has no version", advice: "rewrite" },
  E009: { means: "The first version does not have the number 1", advice: "rewrite" },
  E010: { means: "The versions are not a continuous sequence, or a version has no folder", advice: "restore" },
  E011: {
    means: "A version’s number is not padded with zeros, although that of the first version is",
    advice: "rewrite",
  },
  E012: { means: "The versions’ names do not all have the same form and width", advice: "rewrite" },
  E013: { means: "A later version is not named in the form of the first version", advice: "rewrite" },
  E014: { means: "An inventory writes a version’s name differently from its folder", advice: "rewrite" },
  E015: {
    means: "A version’s folder contains a file other than the inventory, its sidecar and the content",
    advice: "remove",
  },
  E017: { means: "`contentDirectory` is empty, contains a slash, or is not a string", advice: "rewrite" },
  E018: { means: "`contentDirectory` is `.` or `..`", advice: "rewrite" },
  E019: { means: "`contentDirectory` is not the same in all versions", advice: "rewrite" },
  E023: {
    means: "A content file is missing from all manifests, or from the manifest of its version",
    advice: "remove",
  },
  E024: { means: "A folder below the content folder is empty", advice: "remove" },
  E025: { means: "`digestAlgorithm` is neither sha512 nor sha256", advice: "rewrite" },
  E029: { means: "A sha1 digest is not 40 hexadecimal digits", advice: "rewrite" },
  E030: { means: "A sha256 digest is not 64 hexadecimal digits", advice: "rewrite" },
  E031: { means: "A sha512 digest is not 128 hexadecimal digits", advice: "rewrite" },
  E032: { means: "A blake2b-512 digest is not 128 hexadecimal digits", advice: "rewrite" },
  E033: {
    means: "An inventory is not JSON in UTF-8, does not have the structure that OCFL requires, or repeats a member",
    advice: "rewrite",
  },
  E035: { means: "A content path uses backslashes as separators", advice: "rewrite" },
  E036: { means: "`id`, `type`, `digestAlgorithm` or `head` is missing or empty", advice: "rewrite" },
  E037: {
    means: "`id` is not a string, differs between versions, or is also the id of another object",
    advice: "rewrite",
  },
  E038: { means: "`type` does not match the version of OCFL that the object declares", advice: "rewrite" },
  E039: { means: "A manifest contains digests that do not match the `digestAlgorithm`", advice: "rewrite" },
  E040: { means: "`head` is not the newest version, or does not match its version’s folder", advice: "rewrite" },
  E041: { means: "An inventory has no `manifest`", advice: "rewrite" },
  E042: { means: "A content path is not in any version’s content folder", advice: "rewrite" },
  E043: { means: "An inventory has no `versions`", advice: "rewrite" },
  E045: { means: "`versions` is not an object", advice: "rewrite" },
  E046: { means: "The versions in the inventory differ from the versions that have folders", advice: "rewrite" },
  E047: { means: "A version’s block is not an object", advice: "rewrite" },
  E048: { means: "A version’s block has no `created` or no `state`", advice: "rewrite" },
  E049: { means: "`created` is not an RFC 3339 time with seconds and time zone", advice: "rewrite" },
  E050: { means: "A state contains a digest that the manifest does not contain in the same case", advice: "rewrite" },
  E051: { means: "A digest of a state has no array of logical paths", advice: "rewrite" },
  E052: { means: "A logical path has an empty part, `.` or `..`", advice: "rewrite" },
  E053: { means: "A logical path is empty or begins or ends with a slash", advice: "rewrite" },
  E054: { means: "A version’s user is not an object, or has no name", advice: "rewrite" },
  E057: { means: "The fixity block does not consist of digests with arrays of content paths", advice: "rewrite" },
  E058: { means: "An inventory has no sidecar", advice: "restore" },
  E059: { means: "An inventory’s sidecar uses a different algorithm than its `digestAlgorithm`", advice: "rewrite" },
  E060: { means: "An inventory’s digest differs from the one in its sidecar", advice: "restore" },
  E061: { means: "A sidecar does not have the form “digest inventory.json”", advice: "restore" },
  E063: { means: "An object has no inventory", advice: "restore" },
  E064: { means: "The newest version’s inventory is not a copy of the object’s", advice: "restore" },
  E066: { means: "An older inventory describes a version differently from the newest one", advice: "rewrite" },
  E067: { means: "An object’s `extensions` folder contains a file", advice: "remove" },
  E069: { means: "A storage root has no declaration (`0=ocfl_1.1`)", advice: "rewrite" },
  E070: { means: "`ocfl_layout.json` is not a JSON object with `extension` and `description`", advice: "rewrite" },
  E071: { means: "The layout that `ocfl_layout.json` names is not a registered one", advice: "arrange" },
  E072: { means: "A file is located between a storage root and its objects", advice: "remove" },
  E073: { means: "A folder below a storage root is empty", advice: "remove" },
  E076: { means: "A storage root has several declarations", advice: "rewrite" },
  E077: { means: "A storage root declares a version of OCFL other than 1.0 and 1.1", advice: "rewrite" },
  E078: { means: "The name of a storage root’s declaration does not begin with `0=`", advice: "rewrite" },
  E079: { means: "A storage root’s declaration does not declare a storage root", advice: "rewrite" },
  E080: { means: "The content of a storage root’s declaration does not match its name", advice: "rewrite" },
  E081: { means: "An object uses a later version of OCFL than its storage root", advice: "arrange" },
  E082: { means: "An object is located within another object", advice: "remove" },
  E083: { means: "An object is not in the folder that the layout assigns to its id", advice: "arrange" },
  E086: {
    means: "A storage root’s `extensions` folder contains a file (OCFL 1.0; in 1.1 this is E112)",
    advice: "remove",
  },
  E090: { means: "The folder contains a symbolic link or a special file", advice: "remove" },
  E092: { means: "A content file is missing, or its bytes do not match its digest", advice: "restore" },
  E093: { means: "A content file’s bytes do not match a digest in the fixity block", advice: "restore" },
  E094: { means: "A version’s message is not a string", advice: "rewrite" },
  E095: { means: "A logical path occurs twice in a version, or is a folder of another path", advice: "rewrite" },
  E096: { means: "A digest occurs twice in a manifest", advice: "rewrite" },
  E097: { means: "A digest occurs twice in one algorithm’s fixity block", advice: "rewrite" },
  E099: { means: "A content path has an empty part, `.` or `..`", advice: "rewrite" },
  E100: { means: "A content path is empty or begins or ends with a slash", advice: "rewrite" },
  E101: { means: "A content path occurs twice, or is a folder of another path", advice: "rewrite" },
  E102: { means: "An inventory has a member that OCFL does not define", advice: "rewrite" },
  E103: {
    means: "A version uses an earlier version of OCFL than the previous version",
    advice: "rewrite",
    in10: "E038",
  },
  E104: { means: "A version’s name does not begin with `v`", advice: "rewrite", in10: "E046" },
  E105: { means: "A version’s name is not `v` followed by a positive number", advice: "rewrite", in10: "E046" },
  E106: { means: "`manifest` is not an object", advice: "rewrite", in10: "E041" },
  E107: { means: "No version uses a digest of the manifest", advice: "rewrite", in10: "W000" },
  E111: { means: "`fixity` is not an object", advice: "rewrite", in10: "E057" },
  E112: { means: "A storage root’s `extensions` folder contains a file", advice: "remove", in10: "E086" },
  W000: { means: "A remark: something was not checked", advice: "nothing" },
  W001: { means: "The versions are padded with zeros", advice: "nothing" },
  W002: { means: "A version’s folder contains a folder other than the content folder", advice: "nothing" },
  W003: { means: "A version without content has a content folder", advice: "nothing" },
  W004: { means: "`digestAlgorithm` is not sha512", advice: "nothing" },
  W005: { means: "`id` is not a URI", advice: "nothing" },
  W007: { means: "A version has no message or no user", advice: "nothing" },
  W008: { means: "A version’s user has no address", advice: "nothing" },
  W009: { means: "The address of a version’s user is not a URI", advice: "nothing" },
  W010: { means: "A version has no inventory", advice: "nothing" },
  W011: {
    means: "An older inventory states a different time, message or user for a version than the newest one",
    advice: "nothing",
  },
  W013: { means: "An object has an extension that is not registered", advice: "nothing" },
  W015: { means: "Some objects are directly in the storage root, others in folders", advice: "nothing" },
  W016: { means: "A storage root has an extension that is not registered", advice: "nothing", in10: "W013" },
} as const satisfies Record<string, CodeEntry>;

/** A code of a finding. */
export type OcflCode = keyof typeof codes;

/** Codes of the specification's table that are never reported, and the reason. */
export const unreportedCodes: Readonly<Record<string, string>> = {
  E002: "reported as E003 to E007",
  E016: "reported as E015 or E042: content outside a content folder",
  E020: "reported as E019",
  E021: "reported as E042 or W002",
  E022: "a requirement for programs: other folders of a version are ignored",
  E026: "reported as the remark W000: another algorithm may come from a local extension",
  E027: "a requirement for programs: all algorithms of the table are checked",
  E028: "a requirement for programs: unknown algorithms are skipped with a remark",
  E034: "reported as E063: a file with another name is not an inventory",
  E044: "reported as E043",
  E055: "reported as E102: under another name it is an unknown member",
  E056: "reported as the remark W000: another algorithm may come from a local extension",
  E062: "a requirement for programs; violations result in E060",
  E068: "OCFL 1.0 only: a validation cannot see where an extension is described",
  E074: "about several storage roots, while a validation sees one",
  E075: "reported as E069 and E076 to E080",
  E084: "reported as E072",
  E085: "reported as E072 or E073",
  E087: "a requirement for programs: other files in a storage root are ignored",
  E088: "reported as E072 or E073",
  E089: "about the selection of content",
  E091: "OCFL 1.0 only; about file systems",
  E098: "reported as E099 to E101",
  E108: "reported as E017 or E018",
  E110: "reported as E037",
  W012: "a validation cannot recognise a log",
  W014: "reported as E083 if the layout is supported",
};

/** The code of a finding in a version of OCFL; W000 if that version has no such rule. */
export function codeIn<Code extends string>(specification: string | undefined, code: Code): Code | OcflCode {
  const entry: CodeEntry | undefined = Object.hasOwn(codes, code) ? codes[code as Code & OcflCode] : undefined;
  return specification === "1.0" && entry?.in10 !== undefined ? (entry.in10 as OcflCode) : code;
}

/** The URL of the specification's text for a code; undefined for codes that the specification does not define. */
export function referenceOf(code: string): string | undefined {
  const version = code === "E086" ? "1.0" : "1.1";
  return /^[EW](?!000)\d{3}$/.test(code) ? `https://ocfl.io/${version}/spec/#${code}` : undefined;
}

/** Whether a code, including additional codes, is an error. Other codes are warnings. */
export function isError(code: string): boolean {
  return code.startsWith("E");
}
