import { crc32, deflateSync } from "node:zlib";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";
import type { TestService } from "../program/service.ts";

const BUCKET = "odd-dataset";
const KEYS = { accessKey: "AKODD", secretKey: "a-secret/of+the-odd" };

/** Active content that a browser would run if it displayed the file as a page. */
export const HOSTILE_HTML = `<!doctype html><title>x</title><script>document.title = "taken over"; fetch("http://192.0.2.1/")</script><img src="x" onerror="document.title = 'taken over'">`;
export const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = 'taken over'"><script>document.title = "taken over"</script><circle r="4"/></svg>`;
export const ODD_NAME = "odd names/Zürich & 50% #1?.txt";
export const CSV = `plot;moisture;note\n1;23,5;"one; with a semicolon"\n2;24,1;"a\nbroken line"\n3;22,9;=cmd()\n`;
/** Longer than a preview. */
export const LONG = `${"The quick brown fox jumps over the lazy dog.\n".repeat(12_000)}the end`;

/** The objects of the first version. */
export const OBJECTS: Record<string, Buffer | string> = {
  "README.md": "# Roots\n\nMeasured twice.\n",
  "data.csv": CSV,
  "images/leaf.png": png(64, 48),
  "images/scans/deep/down/root.png": png(8, 8),
  "images/not-a-picture.png": "this is text",
  "hostile.html": HOSTILE_HTML,
  "hostile.svg": HOSTILE_SVG,
  "latin1.txt": Buffer.from("Z\xfcrich, na\xefve", "latin1"),
  "utf16.txt": Buffer.from("\ufeffGrüße", "utf16le"),
  "instrument.bin": Buffer.from([1, 0, 2, 0, 3]),
  "empty.dat": "",
  "long.txt": LONG,
  [ODD_NAME]: "odd but fine",
  "odd names/\u202etxt.exe": "turned around",
};

/** Content types of the bucket. */
const TYPES: Record<string, string> = { "hostile.html": "text/html", "hostile.svg": "image/svg+xml" };

export interface OddDataset {
  id: string;
  /** Submissions of the versions. */
  submissions: string[];
}

/** Archives a dataset with odd names and hostile files, in two versions. @param headers credentials, if authentication is required */
export async function archiveOddDataset(
  { api }: Pick<TestService, "api">,
  s3: S3Server,
  metadata: object,
  headers: Record<string, string> = {},
): Promise<OddDataset> {
  s3.addAccount(KEYS);
  s3.createBucket(BUCKET);
  for (const [key, content] of Object.entries(OBJECTS)) {
    s3.put(BUCKET, key, content, { contentType: TYPES[key] ?? "application/octet-stream" });
  }
  const s3Access = { endpoint: s3.endpoint, bucket: BUCKET, ...KEYS };
  const archive = async (more: object) => {
    const { json } = await api.post("/submission/upload/s3upload", { metadata, s3Access, ...more }, headers);
    for (;;) {
      const { json: now } = await api.get(`/submission/${json.id}`, headers);
      if (now.status === "completed") return now;
      if (["failed", "waiting"].includes(now.status)) throw new Error(JSON.stringify(now));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const first = await archive({});
  s3.put(BUCKET, "README.md", "# Roots\n\nMeasured three times.\n");
  s3.put(BUCKET, "added.txt", "new in the second version");
  s3.remove(BUCKET, "empty.dat");
  const second = await archive({ dataset: { id: first.dataset.id } });
  return { id: first.dataset.id, submissions: [first.id, second.id] };
}

/** A small greyscale image. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, 128);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
