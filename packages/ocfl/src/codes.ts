/** How to fix what a finding names. */
export const advice = {
  restore:
    "Bytes are not what they were, or are gone. Restore what is named from another copy, and find out what changed it.",
  remove: "Something lies where it must not. Find out whose it is, and move it out of the storage root.",
  rewrite:
    "The files that describe the object break the rules; its content may be whole. Have the software that wrote them write them anew.",
  arrange: "The storage root is not arranged as it says. Move the object, or correct the root’s own files.",
  access: "Make it possible to read what is named, correct what else is found, and run the check again.",
  nothing: "Nothing has to be done: OCFL advises otherwise, and the object is valid.",
} as const;

export type Advice = keyof typeof advice;

export interface CodeEntry {
  /** What is wrong, in the words of this package. */
  means: string;
  advice: Advice;
  /** What OCFL 1.0 calls it, where its table has another code; `W000` where it has no such rule. */
  in10?: string;
}

/**
 * Every code that a validation reports. E… are errors, W… warnings. They are those of the OCFL 1.1 specification
 * (https://ocfl.io/1.1/spec/validation-codes.html), except for E000 and W000, which are this package's own.
 */
export const codes = {
  E000: { means: "Something could not be looked at, or there are more findings than are named", advice: "access" },
  E001: { means: "A file or folder lies in an object’s folder that does not belong there", advice: "remove" },
  E003: { means: "An object has no declaration (`0=ocfl_object_1.1`), or several", advice: "rewrite" },
  E004: { means: "An object is declared to be of a version of OCFL other than 1.0 and 1.1", advice: "rewrite" },
  E005: { means: "The name of an object’s declaration does not begin with `0=`", advice: "rewrite" },
  E006: { means: "An object’s declaration is not one of an object", advice: "rewrite" },
  E007: { means: "The content of an object’s declaration is not what its name says", advice: "rewrite" },
  E008: { means: "An inventory has no version", advice: "rewrite" },
  E009: { means: "The versions do not begin with 1", advice: "rewrite" },
  E010: { means: "The versions are not one unbroken sequence, or one of them has no folder", advice: "restore" },
  E011: { means: "A version’s number has no zero in front, though the first version’s has", advice: "rewrite" },
  E012: { means: "The versions’ names are not all of one kind and width", advice: "rewrite" },
  E013: { means: "A later version breaks with the way in which the first was named", advice: "rewrite" },
  E014: { means: "An inventory writes a version’s name otherwise than its folder is named", advice: "rewrite" },
  E015: { means: "A file lies in a version’s folder beside inventory, sidecar and content", advice: "remove" },
  E017: { means: "`contentDirectory` is empty, holds a slash, or is no string", advice: "rewrite" },
  E018: { means: "`contentDirectory` is `.` or `..`", advice: "rewrite" },
  E019: { means: "`contentDirectory` is not the same in all versions", advice: "rewrite" },
  E023: { means: "A content file is in no manifest, or not in that of its own version", advice: "remove" },
  E024: { means: "A folder below the content folder is empty", advice: "remove" },
  E025: { means: "`digestAlgorithm` is neither sha512 nor sha256", advice: "rewrite" },
  E029: { means: "A sha1 digest is not 40 hexadecimal digits", advice: "rewrite" },
  E030: { means: "A sha256 digest is not 64 hexadecimal digits", advice: "rewrite" },
  E031: { means: "A sha512 digest is not 128 hexadecimal digits", advice: "rewrite" },
  E032: { means: "A blake2b-512 digest is not 128 hexadecimal digits", advice: "rewrite" },
  E033: {
    means: "An inventory is not JSON in UTF-8, or not of the structure that OCFL describes, or has a member twice",
    advice: "rewrite",
  },
  E035: { means: "A content path is separated by backslashes", advice: "rewrite" },
  E036: { means: "`id`, `type`, `digestAlgorithm` or `head` is missing or empty", advice: "rewrite" },
  E037: { means: "`id` is no string, differs between versions, or is another object’s too", advice: "rewrite" },
  E038: { means: "`type` is not that of the version of OCFL which the object declares", advice: "rewrite" },
  E039: { means: "Digests of a manifest are not of the `digestAlgorithm`", advice: "rewrite" },
  E040: { means: "`head` is not the newest version, or not that of its version’s folder", advice: "rewrite" },
  E041: { means: "An inventory has no `manifest`", advice: "rewrite" },
  E042: { means: "A content path lies in no version’s content folder", advice: "rewrite" },
  E043: { means: "An inventory has no `versions`", advice: "rewrite" },
  E045: { means: "`versions` is not an object", advice: "rewrite" },
  E046: { means: "The inventory’s versions are not those that have folders", advice: "rewrite" },
  E047: { means: "A version’s block is not an object", advice: "rewrite" },
  E048: { means: "A version’s block has no `created` or no `state`", advice: "rewrite" },
  E049: { means: "`created` is not a time by RFC 3339, with seconds and zone", advice: "rewrite" },
  E050: { means: "A state is not of digests that the manifest has too, written in the same case", advice: "rewrite" },
  E051: { means: "A digest of a state has no array of logical paths", advice: "rewrite" },
  E052: { means: "A logical path has an empty part, `.` or `..`", advice: "rewrite" },
  E053: { means: "A logical path is empty or begins or ends with a slash", advice: "rewrite" },
  E054: { means: "A version’s user is no object, or has no name", advice: "rewrite" },
  E057: { means: "The fixity block is not of digests with arrays of content paths", advice: "rewrite" },
  E058: { means: "An inventory has no sidecar", advice: "restore" },
  E059: { means: "An inventory’s sidecar is of another algorithm than its `digestAlgorithm`", advice: "rewrite" },
  E060: { means: "An inventory’s digest is not the one in its sidecar", advice: "restore" },
  E061: { means: "A sidecar is not “digest inventory.json”", advice: "restore" },
  E063: { means: "An object has no inventory", advice: "restore" },
  E064: { means: "The newest version’s inventory is not a copy of the object’s", advice: "restore" },
  E066: { means: "An older inventory describes a version otherwise than the newest", advice: "rewrite" },
  E067: { means: "An object’s `extensions` folder holds a file", advice: "remove" },
  E069: { means: "A storage root has no declaration (`0=ocfl_1.1`)", advice: "rewrite" },
  E070: { means: "`ocfl_layout.json` is not a JSON object with `extension` and `description`", advice: "rewrite" },
  E071: { means: "The layout that `ocfl_layout.json` names is not a registered one", advice: "arrange" },
  E072: { means: "A file lies between a storage root and its objects", advice: "remove" },
  E073: { means: "A folder below a storage root is empty", advice: "remove" },
  E076: { means: "A storage root has several declarations", advice: "rewrite" },
  E077: { means: "A storage root is declared to be of a version of OCFL other than 1.0 and 1.1", advice: "rewrite" },
  E078: { means: "The name of a storage root’s declaration does not begin with `0=`", advice: "rewrite" },
  E079: { means: "A storage root’s declaration is not one of a storage root", advice: "rewrite" },
  E080: { means: "The content of a storage root’s declaration is not what its name says", advice: "rewrite" },
  E081: { means: "An object is of a later version of OCFL than its storage root", advice: "arrange" },
  E082: { means: "An object lies within another object", advice: "remove" },
  E083: { means: "An object does not lie where the layout puts its id", advice: "arrange" },
  E086: {
    means: "A storage root’s `extensions` folder holds a file (OCFL 1.0; in 1.1 this is E112)",
    advice: "remove",
  },
  E090: { means: "There is a symbolic link, or something that is neither file nor folder", advice: "remove" },
  E092: { means: "A content file is missing, or its bytes are not those of its digest", advice: "restore" },
  E093: { means: "A content file’s bytes are not those of a digest in the fixity block", advice: "restore" },
  E094: { means: "A version’s message is not a string", advice: "rewrite" },
  E095: { means: "A logical path occurs twice in a version, or is a folder of another", advice: "rewrite" },
  E096: { means: "A digest occurs twice in a manifest", advice: "rewrite" },
  E097: { means: "A digest occurs twice in one algorithm’s fixity block", advice: "rewrite" },
  E099: { means: "A content path has an empty part, `.` or `..`", advice: "rewrite" },
  E100: { means: "A content path is empty or begins or ends with a slash", advice: "rewrite" },
  E101: { means: "A content path occurs twice, or is a folder of another", advice: "rewrite" },
  E102: { means: "An inventory has a member that OCFL does not know", advice: "rewrite" },
  E103: { means: "A version is of an earlier version of OCFL than the one before it", advice: "rewrite", in10: "E038" },
  E104: { means: "A version’s name does not begin with `v`", advice: "rewrite", in10: "E046" },
  E105: { means: "A version’s name is not `v` and a number from 1 on", advice: "rewrite", in10: "E046" },
  E106: { means: "`manifest` is not an object", advice: "rewrite", in10: "E041" },
  E107: { means: "No version uses a digest of the manifest", advice: "rewrite", in10: "W000" },
  E111: { means: "`fixity` is not an object", advice: "rewrite", in10: "E057" },
  E112: { means: "A storage root’s `extensions` folder holds a file", advice: "remove", in10: "E086" },
  W000: { means: "A remark: something was not checked", advice: "nothing" },
  W001: { means: "The versions are padded with zeros", advice: "nothing" },
  W002: { means: "A version’s folder holds a folder besides that of its content", advice: "nothing" },
  W003: { means: "A version without content has a content folder", advice: "nothing" },
  W004: { means: "`digestAlgorithm` is not sha512", advice: "nothing" },
  W005: { means: "`id` is not a URI", advice: "nothing" },
  W007: { means: "A version has no message or no user", advice: "nothing" },
  W008: { means: "A version’s user has no address", advice: "nothing" },
  W009: { means: "The address of a version’s user is not a URI", advice: "nothing" },
  W010: { means: "A version has no inventory", advice: "nothing" },
  W011: {
    means: "An older inventory gives a version another time, message or user than the newest",
    advice: "nothing",
  },
  W013: { means: "An object has an extension that is not registered", advice: "nothing" },
  W015: { means: "Some objects lie directly in the storage root and some in folders", advice: "nothing" },
  W016: { means: "A storage root has an extension that is not registered", advice: "nothing", in10: "W013" },
} as const satisfies Record<string, CodeEntry>;

/** A code of a finding. */
export type OcflCode = keyof typeof codes;

/** Codes of the specification's table that are never reported, and why. */
export const unreportedCodes: Readonly<Record<string, string>> = {
  E002: "given as E003 to E007",
  E016: "given as E015 or E042: content outside a content folder",
  E020: "given as E019",
  E021: "given as E042 or W002",
  E022: "about programs: other folders of a version are passed over",
  E026: "another algorithm may be one of a local extension: a remark, W000",
  E027: "about programs: all algorithms of the table are checked",
  E028: "about programs: what is not known is passed over, with a remark",
  E034: "given as E063: an inventory of another name is none",
  E044: "given as E043",
  E055: "given as E102: under another name it is an unknown member",
  E056: "another algorithm may be one of a local extension: a remark, W000",
  E062: "about programs; what comes of it is E060",
  E068: "OCFL 1.0; dropped in 1.1: where an extension is described cannot be seen",
  E074: "about several storage roots",
  E075: "given as E069 and E076 to E080",
  E084: "given as E072",
  E085: "given as E072 or E073",
  E087: "about programs: other files in a storage root are passed over",
  E088: "given as E072 or E073",
  E089: "about the choice of content",
  E091: "OCFL 1.0; about file systems",
  E098: "given as E099 to E101",
  E108: "given as E017 or E018",
  E110: "given as E037",
  W012: "what a log is cannot be seen",
  W014: "given as E083 where the layout is known",
};

/** The code for a finding in a version of OCFL; W000 where that version has no such rule. */
export function codeIn<Code extends string>(specification: string | undefined, code: Code): Code | OcflCode {
  const entry: CodeEntry | undefined = Object.hasOwn(codes, code) ? codes[code as Code & OcflCode] : undefined;
  return specification === "1.0" && entry?.in10 !== undefined ? (entry.in10 as OcflCode) : code;
}

/** The address of the specification's text for a code; undefined for a code that is not the specification's. */
export function referenceOf(code: string): string | undefined {
  const version = code === "E086" ? "1.0" : "1.1";
  return /^[EW](?!000)\d{3}$/.test(code) ? `https://ocfl.io/${version}/spec/#${code}` : undefined;
}

/** Whether a code, also one of an additional check, is that of an error. Others are warnings. */
export function isError(code: string): boolean {
  return code.startsWith("E");
}
