/** Minimum and maximum length of a description that dataset search engines expect, in characters. */
export const SHORT_DESCRIPTION = 50;
export const LONG_DESCRIPTION = 5_000;
/** Maximum length of a description. */
export const LONGEST_DESCRIPTION = 100_000;

/** Maximum size of a metadata file from which values are suggested. */
export const MAX_METADATA_FILE_BYTES = 2 * 2 ** 20;

/** Maximum length of a comment about a publication, and of a reason that its parties see. */
export const LONGEST_COMMENT = 10_000;
/** Maximum length of a reason or answer that others see. */
export const LONGEST_REASON = 2_000;
/** Maximum lengths in requests for access to files, and in grants of access. */
export const LONGEST_NAME = 200;
export const LONGEST_MAIL_ADDRESS = 254;
export const LONGEST_NOTE = 500;
