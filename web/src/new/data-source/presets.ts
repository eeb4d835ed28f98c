import type { DataSource } from "../draft.ts";

/** Common values by kind of storage. The user must replace placeholders in angle brackets. */
const PRESETS = {
  aws: { endpoint: "https://s3.<region>.amazonaws.com", region: "", style: "auto" },
  ceph: { endpoint: "https://<gateway>", region: "", style: "path" },
  minio: { endpoint: "https://<server>:9000", region: "us-east-1", style: "path" },
  r2: { endpoint: "https://<account-id>.r2.cloudflarestorage.com", region: "auto", style: "auto" },
  hetzner: { endpoint: "https://<location>.your-objectstorage.com", region: "", style: "auto" },
  university: { endpoint: "https://<s3-server>", region: "", style: "path" },
} as const satisfies Record<string, Pick<DataSource, "endpoint" | "region" | "style">>;
export type Preset = keyof typeof PRESETS;

/** The presets in the order of their buttons. */
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** The values that a preset fills in. It does not replace values that the user has entered. */
export function filledBy(preset: Preset, { endpoint, region }: DataSource): Partial<DataSource> {
  const usual = PRESETS[preset];
  const isRegionUsual = region === "" || PRESET_NAMES.some((name) => PRESETS[name].region === region);
  return {
    style: usual.style,
    ...(!isTyped(endpoint) && { endpoint: usual.endpoint }),
    ...(isRegionUsual && { region: usual.region }),
  };
}

/** Whether the user has entered an endpoint: not empty, and without a placeholder of a preset. */
export function isTyped(endpoint: string): boolean {
  return endpoint.trim() !== "" && !endpoint.includes("<");
}
