import { join } from "node:path";
import { type Measured, runMeasured } from "../support/measure.ts";
import type { Bucket } from "../support/source.ts";

const program = join(import.meta.dirname, "floor-process.ts");

/** Sends the same GET requests from a separate process and discards the bodies. Its start and the list of keys are not measured. */
export async function runFloor({ endpoint, bucket, bytes }: Bucket): Promise<Measured> {
  const asked = JSON.stringify({ endpoint, bucket });
  const { output } = await runMeasured(process.execPath, [program, asked]);
  const { read, ...measured } = JSON.parse(output) as Measured & { read: number };
  if (read !== bytes) throw new Error(`The floor read ${read} bytes instead of ${bytes}`);
  return measured;
}
