import type { DataSource } from "../draft.ts";

/** What is usual at a kind of store. What stands in angle brackets has to be replaced. */
export const PRESETS = {
  aws: { endpoint: "https://s3.<region>.amazonaws.com", region: "", style: "auto" },
  ceph: { endpoint: "https://<gateway>", region: "", style: "path" },
  minio: { endpoint: "https://<server>:9000", region: "us-east-1", style: "path" },
  r2: { endpoint: "https://<account-id>.r2.cloudflarestorage.com", region: "auto", style: "auto" },
  hetzner: { endpoint: "https://<location>.your-objectstorage.com", region: "", style: "auto" },
  university: { endpoint: "https://<s3-server>", region: "", style: "path" },
} as const satisfies Record<string, Pick<DataSource, "endpoint" | "region" | "style">>;
export type Preset = keyof typeof PRESETS;

/** The presets in the order in which they are offered. */
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** What a preset fills in: nothing that somebody has typed is replaced. */
export function filledBy(preset: Preset, { endpoint, region }: DataSource): Partial<DataSource> {
  const usual = PRESETS[preset];
  const isRegionUsual = region === "" || PRESET_NAMES.some((name) => PRESETS[name].region === region);
  return {
    style: usual.style,
    ...(!isTyped(endpoint) && { endpoint: usual.endpoint }),
    ...(isRegionUsual && { region: usual.region }),
  };
}

/** Whether an endpoint is somebody's own: not empty, and no preset with what has to be replaced. */
export function isTyped(endpoint: string): boolean {
  return endpoint.trim() !== "" && !endpoint.includes("<");
}
