import { deflateSync } from "node:zlib";
import { generate } from "./http/bodies.ts";
import { checksum } from "./http/checksums.ts";
import type { S3Server } from "./server.ts";
import type { PutOptions } from "./stored-object.ts";

/** Access to the demo's bucket, and a summary of its content. */
export interface DemoBucket {
  accessKey: string;
  secretKey: string;
  bucket: string;
  objects: number;
  bytes: number;
}

const accessKey = "DEMOACCESSKEY";
const secretKey = "demo-secret-key-not-a-secret";
const collected = new Date("2026-06-01T06:00:00Z");

/**
 * Creates a bucket with a small dataset of a fictional field trial: tables, images, a raw instrument file and some keys
 * that are difficult for other systems. The content is the same for every call. The account may only list and get.
 */
export function fillDemoBucket(server: S3Server, bucket = "demo-field-trial"): DemoBucket {
  server.createBucket(bucket);
  const rights = ["list", "get", "head", "headBucket", "location"];
  server.addAccount({
    accessKey,
    secretKey,
    rights: (operation, name) => name === bucket && rights.includes(operation),
  });
  let objects = 0;
  let bytes = 0;
  for (const [key, content, options] of demoObjects()) {
    const object = server.put(bucket, key, content, { lastModified: collected, ...options });
    objects += 1;
    bytes += object.body.size;
  }
  return { accessKey, secretKey, bucket, objects, bytes };
}

type Entry = [key: string, content: Buffer | string, options?: PutOptions];

function* demoObjects(): Generator<Entry> {
  yield ["README.md", readme, { contentType: "text/markdown" }];
  yield ["LICENSE.txt", "Creative Commons Attribution 4.0 International (CC-BY-4.0)\n", { contentType: "text/plain" }];
  yield* tables();
  yield* images();
  yield* rawData();
  yield* oddKeys();
}

function* tables(): Generator<Entry> {
  for (let plot = 1; plot <= 24; plot++) {
    yield [`measurements/plot-${pad(plot)}.csv`, plotTable(plot), { contentType: "text/csv", checksum: "sha256" }];
  }
  yield ["metadata/plots.json", plotList(), { contentType: "application/json", checksum: "crc64nvme" }];
  yield ["metadata/sensors.json", sensorList(), { contentType: "application/json", checksum: "crc32" }];
}

function* images(): Generator<Entry> {
  for (let plot = 1; plot <= 12; plot++) {
    const metadata = { plot: pad(plot), "captured-on": "2026-05-28" };
    yield [`images/plot-${pad(plot)}.png`, png(`leaf ${plot}`, 480, 320), { contentType: "image/png", metadata }];
  }
  for (let scan = 1; scan <= 4; scan++) {
    const options: PutOptions = { contentType: "image/tiff", checksum: "crc32c" };
    yield [`images/scans/root-scan-${scan}.tif`, tiff(`root ${scan}`, 1600, 1200), options];
  }
}

function* rawData(): Generator<Entry> {
  yield ["raw/", ""];
  // A multipart upload, so its ETag is not an MD5 of the content.
  yield ["raw/spectrometer-run.bin", bytesOf("spectrometer", 8 << 20), { partSize: 5 << 20, checksum: "crc64nvme" }];
  for (let run = 1; run <= 8; run++) yield [`raw/runs/run-${pad(run)}.dat`, bytesOf(`run ${run}`, 1400 << 10)];
  yield ["raw/empty-run.dat", ""];
}

/** Keys that are common in buckets and difficult for file systems. */
function* oddKeys(): Generator<Entry> {
  yield ["notes/field notes, week 22.txt", "Rain on Tuesday; plots 3 and 7 were sampled a day later.\n"];
  yield ["notes/Übersicht der Böden.txt", "Parabraunerde, Tschernosem, Gley.\n"];
  yield ["notes/🌱 seedlings.txt", "Emergence counted on the ninth day.\n"];
  yield ["notes/a+b 100%.txt", "Fertiliser A and B, full dose.\n"];
  yield ["analysis", "See the folder of the same name.\n"];
  yield [
    "analysis/summary.json",
    '{"plots":24,"method":"randomised block design"}\n',
    { contentType: "application/json" },
  ];
  yield ["exports//yield.csv", "plot,yield_t_ha\n1,7.4\n2,6.9\n", { contentType: "text/csv" }];
}

const readme = `# Demo: wheat under two irrigation regimes

A made-up field trial with 24 plots, for trying Accession out. Every number in it is generated.

- \`measurements/\` one table a plot, a row an hour
- \`images/\` photographs and root scans
- \`raw/\` what the instruments wrote
- \`metadata/\` plots and sensors
`;

function plotTable(plot: number): string {
  const noise = bytesOf(`plot ${plot}`, 2 * 1800);
  let table = "time,soil_moisture_percent,air_temperature_celsius,leaf_area_index\n";
  for (let hour = 0; hour < 1800; hour++) {
    const time = new Date(Date.UTC(2026, 2, 15, hour)).toISOString();
    const wobble = noise.readUInt16LE(hour * 2) / 65_536;
    const moisture = 22 + 6 * Math.sin(hour / 170 + plot) + wobble;
    const temperature = 9 + hour / 180 + 6 * Math.sin(((hour - 8) * Math.PI) / 12) + wobble * 2;
    const leafArea = 4.5 / (1 + Math.exp((900 - hour) / 220)) + wobble / 20;
    table += `${time},${moisture.toFixed(2)},${temperature.toFixed(1)},${leafArea.toFixed(3)}\n`;
  }
  return table;
}

function plotList(): string {
  const plots = Array.from({ length: 24 }, (_, index) => ({
    plot: pad(index + 1),
    block: Math.floor(index / 6) + 1,
    irrigation: index % 2 === 0 ? "full" : "reduced",
    areaSquareMetres: 12,
  }));
  return `${JSON.stringify(plots, null, 2)}\n`;
}

function sensorList(): string {
  const quantities = ["soil_moisture_percent", "air_temperature_celsius", "leaf_area_index"];
  return `${JSON.stringify({ intervalMinutes: 60, quantities, timeZone: "UTC" }, null, 2)}\n`;
}

/** A grey image of soft waves with noise, which every viewer can open. */
function png(seed: string, width: number, height: number): Buffer {
  const rows = pixels(seed, width, height, 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8); // bits a sample; colour type 0 is grey
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = deflateSync(rows, { level: 1 });
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([length, named, checksum("crc32", [named])]);
}

/** An uncompressed grey TIFF: header, one strip of pixels, directory. */
function tiff(seed: string, width: number, height: number): Buffer {
  const strip = pixels(seed, width, height, 0);
  const header = Buffer.from("49492a0000000000", "hex");
  header.writeUInt32LE(8 + strip.length, 4);
  // Tags: width, height, bits, compression (none), black is zero, offset of the strip, its rows and its bytes.
  const tags = [256, width, 257, height, 258, 8, 259, 1, 262, 1, 273, 8, 278, height, 279, strip.length];
  const directory = Buffer.alloc(2 + (tags.length / 2) * 12 + 4);
  directory.writeUInt16LE(tags.length / 2, 0);
  for (let index = 0; index < tags.length; index += 2) {
    const at = 2 + (index / 2) * 12;
    directory.writeUInt16LE(tags[index] ?? 0, at);
    directory.writeUInt16LE(4, at + 2); // the type: one 32-bit number
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(tags[index + 1] ?? 0, at + 8);
  }
  return Buffer.concat([header, strip, directory]);
}

/** Rows of grey values, each preceded by `lead` zero bytes (PNG requires a filter type there). */
function pixels(seed: string, width: number, height: number, lead: number): Buffer {
  const rows = bytesOf(seed, (width + lead) * height);
  const phase = (rows[0] ?? 0) / 40;
  for (let y = 0, at = 0; y < height; y++) {
    rows.fill(0, at, at + lead);
    at += lead;
    const slope = Math.sin(y / 50 + phase) * 40;
    for (let x = 0; x < width; x++, at++) {
      rows[at] = 120 + slope + 30 * Math.sin(x / 35) + ((rows[at] ?? 0) & 31);
    }
  }
  return rows;
}

const bytesOf = (seed: string, size: number): Buffer => Buffer.concat([...generate(`demo ${seed}`, 0, size)]);

const pad = (number: number): string => String(number).padStart(2, "0");
