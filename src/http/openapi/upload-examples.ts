import type { Static } from "typebox";
import type { TitledFileView, UploadBatch, UploadFilesView, UploadView } from "../schemas/upload.ts";

const AREA = "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60";

export const upload = {
  id: AREA,
  files: `/uploads/${AREA}/files`,
  batch: `/uploads/${AREA}/batch`,
  fileCount: 2,
  bytes: 5_242_896,
  receivedBytes: 1_048_592,
  incompleteFiles: 1,
  parts: { count: 0, bytes: 0 },
  revision: 3,
  submission: null,
  createdAt: "2026-11-03T09:00:00.000Z",
  expiresAt: "2026-11-17T09:12:00.000Z",
} satisfies Static<typeof UploadView>;

export const uploadFiles = {
  files: [
    {
      path: "plots/2025.csv",
      bytes: 16,
      receivedBytes: 16,
      sha512:
        "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff",
      digestMismatch: false,
      completedAt: "2026-11-03T09:10:00.000Z",
      url: `/uploads/${AREA}/files/1`,
    },
  ],
  next: null,
} satisfies Static<typeof UploadFilesView>;

const path = "plots/2025.csv";
const sha512 = uploadFiles.files[0]?.sha512 ?? "";

export const batch = { path, sha512, file: "test" } satisfies Static<typeof UploadBatch>;

export const batchLines = `${JSON.stringify({ path, bytes: 4, sha512 })}\n`;

export const titledFile = {
  upload: AREA,
  path: "plots/2025.csv",
  bytes: 4,
  sha512,
} satisfies Static<typeof TitledFileView>;
