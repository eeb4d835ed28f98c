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

/** Returns a function that makes entries with this advice. */
function entry(what: Advice): (means: string, in10?: string) => CodeEntry {
  return (means, in10) => ({ means, advice: what, ...(in10 !== undefined && { in10 }) });
}

const restore = entry("restore");
const remove = entry("remove");
const rewrite = entry("rewrite");
const arrange = entry("arrange");
const access = entry("access");
const nothing = entry("nothing");

/**
 * Every code that a validation reports. E… are errors, W… warnings. They are those of the OCFL 1.1 specification
 * (https://ocfl.io/1.1/spec/validation-codes.html), except for E000 and W000, which this package defines.
 */
export const codes = {
  E000: access("A file or folder could not be checked, or there are more findings than are listed"),
  E001: remove("An object’s folder contains a file or folder that does not belong there"),
  E003: rewrite("An object has no declaration (`0=ocfl_object_1.1`), or several"),
  E004: rewrite("An object declares a version of OCFL other than 1.0 and 1.1"),
  E005: rewrite("The name of an object’s declaration does not begin with `0=`"),
  E006: rewrite("An object’s declaration does not declare an object"),
  E007: rewrite("The content of an object’s declaration does not match its name"),
  E008: rewrite("An inventory has no version"),
  E009: rewrite("The first version does not have the number 1"),
  E010: restore("The versions are not a continuous sequence, or a version has no folder"),
  E011: rewrite("A version’s number is not padded with zeros, although that of the first version is"),
  E012: rewrite("The versions’ names do not all have the same form and width"),
  E013: rewrite("A later version is not named in the form of the first version"),
  E014: rewrite("An inventory writes a version’s name differently from its folder"),
  E015: remove("A version’s folder contains a file other than the inventory, its sidecar and the content"),
  E017: rewrite("`contentDirectory` is empty, contains a slash, or is not a string"),
  E018: rewrite("`contentDirectory` is `.` or `..`"),
  E019: rewrite("`contentDirectory` is not the same in all versions"),
  E023: remove("A content file is missing from all manifests, or from the manifest of its version"),
  E024: remove("A folder below the content folder is empty"),
  E025: rewrite("`digestAlgorithm` is neither sha512 nor sha256"),
  E029: rewrite("A sha1 digest is not 40 hexadecimal digits"),
  E030: rewrite("A sha256 digest is not 64 hexadecimal digits"),
  E031: rewrite("A sha512 digest is not 128 hexadecimal digits"),
  E032: rewrite("A blake2b-512 digest is not 128 hexadecimal digits"),
  E033: rewrite(
    "An inventory is not JSON in UTF-8, does not have the structure that OCFL requires, or repeats a member",
  ),
  E035: rewrite("A content path uses backslashes as separators"),
  E036: rewrite("`id`, `type`, `digestAlgorithm` or `head` is missing or empty"),
  E037: rewrite("`id` is not a string, differs between versions, or is also the id of another object"),
  E038: rewrite("`type` does not match the version of OCFL that the object declares"),
  E039: rewrite("A manifest contains digests that do not match the `digestAlgorithm`"),
  E040: rewrite("`head` is not the newest version, or does not match its version’s folder"),
  E041: rewrite("An inventory has no `manifest`"),
  E042: rewrite("A content path is not in any version’s content folder"),
  E043: rewrite("An inventory has no `versions`"),
  E045: rewrite("`versions` is not an object"),
  E046: rewrite("The versions in the inventory differ from the versions that have folders"),
  E047: rewrite("A version’s block is not an object"),
  E048: rewrite("A version’s block has no `created` or no `state`"),
  E049: rewrite("`created` is not an RFC 3339 time with seconds and time zone"),
  E050: rewrite("A state contains a digest that the manifest does not contain in the same case"),
  E051: rewrite("A digest of a state has no array of logical paths"),
  E052: rewrite("A logical path has an empty part, `.` or `..`"),
  E053: rewrite("A logical path is empty or begins or ends with a slash"),
  E054: rewrite("A version’s user is not an object, or has no name"),
  E057: rewrite("The fixity block does not consist of digests with arrays of content paths"),
  E058: restore("An inventory has no sidecar"),
  E059: rewrite("An inventory’s sidecar uses a different algorithm than its `digestAlgorithm`"),
  E060: restore("An inventory’s digest differs from the one in its sidecar"),
  E061: restore("A sidecar does not have the form “digest inventory.json”"),
  E063: restore("An object has no inventory"),
  E064: restore("The newest version’s inventory is not a copy of the object’s"),
  E066: rewrite("An older inventory describes a version differently from the newest one"),
  E067: remove("An object’s `extensions` folder contains a file"),
  E069: rewrite("A storage root has no declaration (`0=ocfl_1.1`)"),
  E070: rewrite("`ocfl_layout.json` is not a JSON object with `extension` and `description`"),
  E071: arrange("The layout that `ocfl_layout.json` names is not a registered one"),
  E072: remove("A file is located between a storage root and its objects"),
  E073: remove("A folder below a storage root is empty"),
  E076: rewrite("A storage root has several declarations"),
  E077: rewrite("A storage root declares a version of OCFL other than 1.0 and 1.1"),
  E078: rewrite("The name of a storage root’s declaration does not begin with `0=`"),
  E079: rewrite("A storage root’s declaration does not declare a storage root"),
  E080: rewrite("The content of a storage root’s declaration does not match its name"),
  E081: arrange("An object uses a later version of OCFL than its storage root"),
  E082: remove("An object is located within another object"),
  E083: arrange("An object is not in the folder that the layout assigns to its id"),
  E086: remove("A storage root’s `extensions` folder contains a file (OCFL 1.0; in 1.1 this is E112)"),
  E090: remove("The folder contains a symbolic link or a special file"),
  E092: restore("A content file is missing, or its bytes do not match its digest"),
  E093: restore("A content file’s bytes do not match a digest in the fixity block"),
  E094: rewrite("A version’s message is not a string"),
  E095: rewrite("A logical path occurs twice in a version, or is a folder of another path"),
  E096: rewrite("A digest occurs twice in a manifest"),
  E097: rewrite("A digest occurs twice in one algorithm’s fixity block"),
  E099: rewrite("A content path has an empty part, `.` or `..`"),
  E100: rewrite("A content path is empty or begins or ends with a slash"),
  E101: rewrite("A content path occurs twice, or is a folder of another path"),
  E102: rewrite("An inventory has a member that OCFL does not define"),
  E103: rewrite("A version uses an earlier version of OCFL than the previous version", "E038"),
  E104: rewrite("A version’s name does not begin with `v`", "E046"),
  E105: rewrite("A version’s name is not `v` followed by a positive number", "E046"),
  E106: rewrite("`manifest` is not an object", "E041"),
  E107: rewrite("No version uses a digest of the manifest", "W000"),
  E111: rewrite("`fixity` is not an object", "E057"),
  E112: remove("A storage root’s `extensions` folder contains a file", "E086"),
  W000: nothing("A remark: something was not checked"),
  W001: nothing("The versions are padded with zeros"),
  W002: nothing("A version’s folder contains a folder other than the content folder"),
  W003: nothing("A version without content has a content folder"),
  W004: nothing("`digestAlgorithm` is not sha512"),
  W005: nothing("`id` is not a URI"),
  W007: nothing("A version has no message or no user"),
  W008: nothing("A version’s user has no address"),
  W009: nothing("The address of a version’s user is not a URI"),
  W010: nothing("A version has no inventory"),
  W011: nothing("An older inventory states a different time, message or user for a version than the newest one"),
  W013: nothing("An object has an extension that is not registered"),
  W015: nothing("Some objects are directly in the storage root, others in folders"),
  W016: nothing("A storage root has an extension that is not registered", "W013"),
} satisfies Record<string, CodeEntry>;

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
