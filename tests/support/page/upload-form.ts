import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Locator, Page, Request, Route } from "playwright-core";

/** Folders with files on this computer. */
export class LocalFolders implements AsyncDisposable {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(): Promise<LocalFolders> {
    return new LocalFolders(await mkdtemp(join(tmpdir(), "accession-upload-page-")));
  }

  /** Writes files into a folder, which may exist. @returns its path */
  async write(name: string, files: Record<string, string | Buffer>): Promise<string> {
    const at = join(this.#root, name);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(at, path)), { recursive: true });
      await writeFile(join(at, path), content);
    }
    return at;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}

/** The upload in the submission form, as a person uses it. */
export class UploadForm {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  choose(folder: string): Promise<void> {
    return this.page.locator("input[webkitdirectory]").setInputFiles(folder);
  }

  /** Waits for a state. */
  status(words: string): Promise<void> {
    return this.page.getByRole("heading", { level: 3, name: words }).waitFor();
  }

  go(part: RegExp): Promise<void> {
    const sections = this.page.getByRole("navigation", { name: /^(Sections of the form|Abschnitte des Formulars)$/ });
    return sections.getByRole("button", { name: part }).click();
  }

  row(path: string): Locator {
    return this.page.getByRole("listitem").filter({ hasText: path });
  }

  /** Fills in what is missing, and presses the button in the review. */
  async send(title: string): Promise<void> {
    await this.go(/^Description/);
    await this.page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
    await this.go(/^Authors/);
    await this.page.getByRole("textbox", { name: "Last name", exact: true }).fill("Carberry");
    await this.go(/^Review/);
    await this.button("Submit dataset").click();
  }

  /** Submits. @returns the id of the submission */
  async submit(title: string): Promise<string> {
    await this.send(title);
    await this.page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    return this.page.url().split("/").at(-1) ?? "";
  }

  /** Drops files and folders of this computer where the page asks for them. */
  async drop(files: string[]): Promise<void> {
    const zone = this.page.getByText(/^Drop .* here$/);
    await zone.scrollIntoViewIfNeeded();
    const box = await zone.boundingBox();
    if (box === null) throw new Error("not shown");
    const browserSession = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await browserSession.send("Input.dispatchDragEvent", { type, x: box.x + 5, y: box.y + 5, data });
  }

  /** Notes what is sent: `POST path`, also for each file of a batch, `PATCH offset` and `DELETE`. */
  note(): string[] {
    const noted: string[] = [];
    this.page.on("request", (request) => {
      noted.push(...pathsIn(request).map((path) => `POST ${path}`));
      if (request.method() === "PATCH") noted.push(`PATCH ${request.headers()["upload-offset"]}`);
      if (request.method() === "DELETE") noted.push("DELETE");
    });
    return noted;
  }

  /**
   * Does not let files at these paths arrive, until the returned function is called.
   * @param answer to a request that has one of them alone; files that are sent with them arrive
   */
  async intercept(paths: readonly string[], answer: (route: Route) => unknown): Promise<() => Promise<void>> {
    const handler = async (route: Route) => {
      const request = route.request();
      const sent = pathsIn(request);
      const others = sent.filter((path) => !paths.includes(path));
      if (others.length === sent.length) await route.continue();
      else if (others.length === 0) await answer(route);
      else await route.fulfill({ response: await route.fetch({ postData: withoutPaths(request, paths) }) });
    };
    await this.page.route(SENDING, handler);
    return () => this.page.unroute(SENDING, handler);
  }
}

const SENDING = /\/uploads\/[^/]+\/(files|batch)$/;

/** An answer of the service with a problem: to a request, or for each file of a batch. */
export function problem(status: number, code: string): (route: Route) => Promise<void> {
  const body = { title: code, status, code, detail: code, action: "-", fault: "submitter", retryable: true };
  return (route) => {
    const paths = batchIn(route.request()).map(({ path }) => path);
    if (paths.length === 0) {
      return route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify(body) });
    }
    const lines = paths.map((path) => `${JSON.stringify({ path, problem: body })}\n`);
    return route.fulfill({ status: 200, contentType: "application/x-ndjson", body: lines.join("") });
  };
}

/** The paths of the files that a request creates. */
export function pathsIn(request: Request): string[] {
  const [, path] = /^path ([^,]*)/.exec(request.headers()["upload-metadata"] ?? "") ?? [];
  if (path !== undefined) return [Buffer.from(path, "base64").toString("utf8")];
  return batchIn(request).map(({ path: one }) => one);
}

/** The files of a batch with their parts of the form. */
function batchIn(request: Request): { path: string; parts: string }[] {
  const body = request.postDataBuffer()?.toString("latin1");
  if (!/\/uploads\/[^/]+\/batch$/.test(request.url()) || body === undefined) return [];
  const start = /^--[^\r]*\r\nContent-Disposition: form-data; name="path"\r\n\r\n([^\r]*)/;
  const boundary = body.slice(0, body.indexOf("\r\n"));
  const first = `${boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n`;
  return body
    .slice(0, body.lastIndexOf(`${boundary}--`))
    .split(first)
    .slice(1)
    .map((rest) => first + rest)
    .map((parts) => ({ path: Buffer.from(start.exec(parts)?.[1] ?? "", "latin1").toString("utf8"), parts }));
}

function withoutPaths(request: Request, paths: readonly string[]): Buffer {
  const files = batchIn(request);
  const boundary = files[0]?.parts.slice(0, files[0].parts.indexOf("\r\n"));
  const kept = files.filter(({ path }) => !paths.includes(path)).map(({ parts }) => parts);
  return Buffer.from(`${kept.join("")}${boundary}--\r\n`, "latin1");
}
