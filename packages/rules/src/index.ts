/** The public interface of the package. */
export * from "./apa.ts";
export * from "./identifiers.ts";
export * from "./limits.ts";
export * from "./metadata-changes/compare-metadata.ts";
export * from "./metadata-changes/pair-entries.ts";
export * from "./metadata-changes/same.ts";
export * from "./names/escaped-keys.ts";
export * from "./names/package-names.ts";
export * from "./names/visible.ts";
export * from "./orcid.ts";
export * from "./publication.ts";
export * from "./ror.ts";
export * from "./terms.ts";
export * from "./upload-batches.ts";
export { uploadMetadata } from "./upload-metadata.ts";
export * from "./upload-problems.ts";
