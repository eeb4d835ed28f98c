import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "../../../packages/ocfl/src/index.ts";
import { Client } from "../client/client.ts";
import { Failure, reasonOf, Unsuccessful } from "../terminal/failure.ts";
import { FilesProgress } from "../terminal/files-progress.ts";
import { count, several } from "../terminal/numbers.ts";
import { Output } from "../terminal/output.ts";
import { type Shown, show, styled, WARNING } from "../terminal/text.ts";
import { type DatasetAddress, type FileList, listFromReceipt, listFromService } from "./file-lists.ts";
import { type Compared, type Counts, FolderComparison, type Result } from "./folder-comparison.ts";

/** The options of `compare`. */
export interface CompareOptions {
  json?: boolean;
  datasetVersion?: number;
  receipt?: string;
  list?: string;
  jwks?: string;
}

/** Files of each result that the text output names. `--json` has all. */
const SHOWN = 100;

const ID = "(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const DATASET = new RegExp(`^(.*?)/(?:dataset|app/datasets)/(${ID})(?:/.*)?$`, "i");

/**
 * Compares a folder with a dataset and prints the result for each file.
 *
 * @throws Unsuccessful if not all files are identical; Failure
 */
export async function compare(named: string, dataset: string | undefined, options: CompareOptions): Promise<void> {
  const output = new Output(options);
  const folder = await folderOfCopy(named);
  const list = await listFor(folder, dataset, options);
  const { identifier, version, title } = list.dataset;
  output.say(styled("bold", title), { hang: 0 });
  output.say(show`  ${identifier}, version ${version}`);
  const progress = new FilesProgress(output, "Comparing", { files: list.objects, bytes: list.bytes });
  const printed: Counts = { identical: 0, different: 0, missing: 0, unknown: 0 };
  const comparison = new FolderComparison(folder, {
    listsEveryFile: list.source !== "source manifest",
    report(compared) {
      output.data(compared);
      printed[compared.result] += 1;
      if (compared.result !== "identical" && printed[compared.result] <= SHOWN) sayFile(output, compared);
      progress.addFile();
    },
    onRead: (bytes) => progress.addBytes(bytes),
  });
  await list.read((files) => comparison.take(files));
  await comparison.finish();
  output.live(undefined);
  const ok = sayResult(output, { folder, list, comparison });
  if (!ok) throw new Unsuccessful();
}

async function listFor(folder: string, dataset: string | undefined, options: CompareOptions): Promise<FileList> {
  const { receipt, list, jwks, datasetVersion } = options;
  if (dataset !== undefined && receipt !== undefined) {
    throw new Failure(2, show`Name either the address of the dataset or a receipt with --receipt, not both`);
  }
  if (dataset === undefined && receipt === undefined) {
    throw new Failure(2, show`Name the address of the dataset, or a receipt with --receipt`);
  }
  if (receipt === undefined && (list ?? jwks) !== undefined)
    throw new Failure(2, show`--list and --jwks require --receipt`);
  if (receipt !== undefined) return listFromReceipt(folder, { receipt, list, jwks });
  const address = parseDatasetAddress(dataset ?? "", process.env);
  return listFromService({ ...address, ...(datasetVersion !== undefined && { version: datasetVersion }) });
}

/**
 * Parses the address of a dataset as a browser shows it: `https://data.example.org/dataset/ID?version=2`, or that of its
 * page below `/app/datasets/`. An id alone is a dataset of `ACCESSION_URL`. The token in the environment is sent only to
 * `ACCESSION_URL`, because the address can be of any service.
 *
 * @throws Failure 2 for any other address
 */
function parseDatasetAddress(text: string, environment: NodeJS.ProcessEnv): DatasetAddress {
  if (new RegExp(`^${ID}$`, "i").test(text)) return { client: Client.fromEnvironment(environment), id: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [, base, id] = DATASET.exec(decoded(url?.pathname)) ?? [];
  if (url === undefined || base === undefined || id === undefined || !/^https?:$/.test(url.protocol) || url.username) {
    throw new Failure(
      2,
      show`“${text}” is not the address of a dataset. Open the dataset in a browser and copy its address, such as https://data.example.org/dataset/7f3c9c1e-…`,
    );
  }
  const version = url.searchParams.get("version") ?? "";
  return {
    client: clientFor(`${url.origin}${base}`, environment),
    id,
    ...(/^[1-9]\d{0,8}$/.test(version) && { version: Number(version) }),
  };
}

function clientFor(service: string, environment: NodeJS.ProcessEnv): Client {
  if (environment.ACCESSION_URL?.trim().replace(/\/+$/, "") === service) return Client.fromEnvironment(environment);
  return new Client(service);
}

function decoded(path = ""): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The folder of the copy. A ZIP of a bag contains one folder, which has the files of the bag. @throws Failure 2 */
async function folderOfCopy(folder: string): Promise<string> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Failure(2, show`${folder} is not a folder`);
    let only: string | undefined;
    for await (const { name, kind } of entriesOf(folder)) {
      if (only !== undefined || kind !== "folder") return folder;
      only = name;
    }
    if (only === undefined) return folder;
    const declaration = await lstat(join(folder, only, "bagit.txt")).catch(() => undefined);
    return declaration?.isFile() === true ? join(folder, only) : folder;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(2, show`${folder} cannot be read: ${reasonOf(error)}`);
  }
}

const MARKS: Record<Result, Shown> = {
  identical: styled("green", "✓ identical"),
  different: styled("red", "✗ different"),
  missing: styled("red", "✗ missing  "),
  unknown: styled("yellow", "? unknown  "),
};

function sayFile(output: Output, { path, result, reason }: Compared): void {
  output.say(show`${MARKS[result]}  ${path}${reason === undefined ? "" : ` (${reason})`}`, { hang: 13 });
}

interface Found {
  folder: string;
  list: FileList;
  comparison: FolderComparison;
}

/** Prints the totals. Returns whether all files are identical, and at least one was compared. */
function sayResult(output: Output, { folder, list, comparison: { counts, setAside, layout } }: Found): boolean {
  const { identical, different, missing, unknown } = counts;
  const ok = different + missing + unknown === 0 && identical > 0;
  const { dataset, source, signer } = list;
  output.data({ ok, folder, layout, ...counts, setAside, source, ...(signer !== undefined && { signer }), dataset });
  for (const result of ["different", "missing", "unknown"] as const) {
    const hidden = counts[result] - SHOWN;
    if (hidden > 0) output.say(show`… and ${count(hidden)} more ${result}; --json lists all`);
  }
  const totals = `${count(identical)} identical, ${count(different)} different, ${count(missing)} missing, ${count(unknown)} unknown`;
  const verdict = ok ? styled("green", "✓ All files are identical") : styled("red", "✗ Not all files are identical");
  output.say(show`${verdict}: ${totals}`);
  const inside = layout === "package" ? "the whole package (data/ and the files beside it)" : "the content of data/";
  output.say(show`The folder was compared as ${inside}.`);
  const { created, unlisted, bag } = setAside;
  const aside = (number: number, why: string) => {
    if (number > 0) output.say(show`Not compared: ${several(number, "file")} ${why}.`, { hang: 2 });
  };
  aside(created, "that Accession created, which are not in data/");
  aside(bag, "of the bag, which are not part of the dataset");
  aside(unlisted, "outside of data/, which the source manifest does not list. Use the inventory with --list");
  if (signer === "not established") {
    const advice = "The signature of the receipt was not checked. Name the public keys of the service with --jwks.";
    output.say(show`${WARNING} ${advice}`, { hang: 2 });
  }
  return ok;
}
