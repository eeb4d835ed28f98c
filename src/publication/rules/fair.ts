import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { Place } from "./publication.ts";

/** A recommendation of the FAIR self-assessment that a dataset does not fulfil. */
export interface FairPoint {
  /** Stable. */
  code: FairCode;
  /** The F-UJI metric that tests it (https://f-uji.net, metrics 0.8); null if none does. */
  metric: string | null;
  message: string;
  nextStep: string;
  place?: Place;
}

export const FAIR_CODES = [
  "identifier_missing",
  "keywords_missing",
  "licence_not_spdx",
  "related_missing",
  "formats_unknown",
  "orcid_missing",
  "ror_missing",
  "funding_missing",
] as const;
export type FairCode = (typeof FAIR_CODES)[number];

/** What the self-assessment is about. */
export interface Assessed {
  metadata: NormalizedMetadata;
  /** Whether a file has a format whose specification is published. */
  hasOpenFormat: boolean;
  registersDois: boolean;
}

/**
 * Formats with a published specification that are usual for data, by the extension of a file's name. Text formats that only
 * describe the data, such as Markdown, are not listed.
 */
const OPEN_FORMATS = new Set(
  (
    "csv tsv tab json jsonl ndjson geojson jsonld xml yaml yml txt dat html pdf rtf parquet arrow avro orc sqlite " +
    "ods odt odp xlsx docx pptx nc nc4 cdf h5 hdf hdf5 zarr fits mat npy npz rds rdata " +
    "tif tiff png jpg jpeg jp2 gif svg webp dng czi dcm nii mha nrrd las laz ply stl obj gltf " +
    "wav flac ogg mp3 mp4 mkv webm shp gpkg kml gml grb grib grib2 asc " +
    "fasta fa fna faa fastq fq vcf bcf bed gff gff3 gtf sam bam cram gb gbk embl nwk nex pdb cif mmcif mol sdf " +
    "mzml mztab cml jdx dx ttl rdf nt nq owl obo r py ipynb m c cpp jl"
  ).split(" "),
);
const COMPRESSION = /\.(?:gz|bz2|xz|zst)$/;

/** Whether a file has a format whose specification is published, by the extension of its name. */
export function isOpenFormat(path: string): boolean {
  const name = path
    .slice(path.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(COMPRESSION, "");
  const dot = name.lastIndexOf(".");
  return dot > 0 && OPEN_FORMATS.has(name.slice(dot + 1));
}

/**
 * The recommendations that a dataset does not fulfil: those of F-UJI's metrics 0.8 that depend on what the submitter states,
 * and identifiers of people, organisations and funders. A missing description, and a missing or unknown licence, have
 * findings of their own.
 */
export function missingFairPoints(assessed: Assessed): FairPoint[] {
  return FAIR_CODES.filter((code) => !RECOMMENDATIONS[code].isMet(assessed)).map((code) => {
    const { metric, field, message, nextStep } = RECOMMENDATIONS[code];
    return { code, metric, message, nextStep, ...(field !== null && { place: { field } }) };
  });
}

interface Recommendation {
  isMet(assessed: Assessed): boolean;
  metric: string | null;
  /** JSON Pointer; null if the submitter cannot change it in the metadata. */
  field: string | null;
  message: string;
  nextStep: string;
}

const RECOMMENDATIONS: Record<FairCode, Recommendation> = {
  identifier_missing: {
    isMet: ({ registersDois }) => registersDois,
    metric: "FsF-F1-02MD",
    field: null,
    message: "The dataset gets no DOI.",
    nextStep: "Ask the operator whether this service can register DOIs.",
  },
  keywords_missing: {
    isMet: ({ metadata: { subjects, subjectTerms = [] } }) => subjects.length + subjectTerms.length > 0,
    metric: "FsF-F2-01M",
    field: "/subjects",
    message: "The dataset has no keywords.",
    nextStep: "Add the words that readers will search for.",
  },
  licence_not_spdx: {
    isMet: ({ metadata: { license } }) => license?.spdx !== undefined || license?.url === undefined,
    metric: "FsF-R1.1-01M",
    field: "/license",
    message: "The licence is not in the SPDX list, so that programs do not recognise it.",
    nextStep: "If possible, choose a licence from the SPDX list.",
  },
  related_missing: {
    isMet: ({ metadata }) =>
      (metadata.relatedIdentifiers ?? []).some(({ relatedIdentifier }) => relatedIdentifier !== undefined),
    metric: "FsF-I3-01M",
    field: "/relatedIdentifiers",
    message: "The dataset names no related work with an identifier.",
    nextStep: "If an article describes the data, add its DOI. A DOI can also be added after publication.",
  },
  formats_unknown: {
    isMet: ({ hasOpenFormat }) => hasOpenFormat,
    metric: "FsF-R1.3-02D",
    field: null,
    message: "No file has a known open format, such as CSV, JSON, TIFF or NetCDF.",
    nextStep: "If possible, add the data in an open format, and archive them as a new version.",
  },
  orcid_missing: {
    isMet: ({ metadata }) => metadata.authors.some(({ orcid }) => orcid !== undefined),
    metric: null,
    field: "/authors",
    message: "No author has an ORCID iD, so that the dataset does not appear in their records.",
    nextStep: "Add the ORCID iDs of the authors.",
  },
  ror_missing: {
    isMet: ({ metadata }) =>
      metadata.authors.some(
        ({ rorid, affiliations = [] }) => rorid !== undefined || affiliations.some((one) => one.rorid !== undefined),
      ),
    metric: null,
    field: "/authors",
    message: "No institution of the authors has a ROR id.",
    nextStep: "Add the institutions of the authors with their ROR ids.",
  },
  funding_missing: {
    isMet: ({ metadata }) => (metadata.fundingReferences ?? []).length > 0,
    metric: null,
    field: "/fundingReferences",
    message: "The dataset names no funding.",
    nextStep: "If the work was funded, add the funder and the number of the grant.",
  },
};
