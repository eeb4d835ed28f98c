import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { startTestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const run = promisify(execFile);

const name = `the commands of curl in docs/how-to/uploads.md send and continue a file, and submit it ${skipNote("bash", "curl", "jq")}`;
test.skipIf(lacks("bash", "curl", "jq"))(name, async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/how-to/uploads.md"), "utf8");
  const [, block = ""] = /<!-- run by: tests\/uploads\/guide\.test\.ts -->\n```bash\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "accession-guide-"));
  const service = await startTestService();
  try {
    const content = randomBytes(5_000);
    await writeFile(join(folder, "Zürich 1.bin"), content);
    await writeFile(join(folder, "dataset.json"), JSON.stringify(goodMetadata));
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", block], {
      cwd: folder,
      env: { ...process.env, ACCESSION_URL: service.url, ACCESSION_TOKEN: "none", file: "Zürich 1.bin" },
    });
    const { id } = JSON.parse(stdout) as { id: string };
    await service.api.until(id, ["completed"]);
    const sha512 = createHash("sha512").update(content).digest("hex");
    expect(await service.api.files(id)).toMatchObject([{ key: "Zürich 1.bin", sha512, verifiedWith: "sha512" }]);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
