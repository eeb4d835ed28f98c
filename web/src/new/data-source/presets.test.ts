import { expect, test } from "vitest";
import { newDraft } from "../draft.ts";
import { filledBy } from "./presets.ts";

const { dataSource } = newDraft();

test("a preset fills in empty fields and fields with values of another preset", () => {
  const minio = { endpoint: "https://<server>:9000", region: "us-east-1", style: "path" } as const;
  expect(filledBy("minio", dataSource)).toEqual(minio);
  expect(filledBy("aws", { ...dataSource, ...minio })).toEqual({
    endpoint: "https://s3.<region>.amazonaws.com",
    region: "",
    style: "auto",
  });
});

test("a preset does not change entered values", () => {
  const typed = { ...dataSource, endpoint: "https://s3.example.org", region: "eu-north-1" };
  expect(filledBy("minio", typed)).toEqual({ style: "path" });
});
