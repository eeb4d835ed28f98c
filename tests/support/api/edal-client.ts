import type { Api } from "./api.ts";

/** A file as a browser has it, whose folder was chosen: its path begins with the name of that folder. */
export interface ChosenFile {
  webkitRelativePath: string;
  bytes: Buffer;
}

/** An author in the form of the client. */
export interface EdalAuthor {
  affiliation?: string;
  city?: string;
  address?: string;
  [member: string]: unknown;
}

/** Metadata in the form of the client. Members that nobody has filled in are empty texts. */
export const edalMetadata = {
  title: "Barley roots under drought",
  description: "Measurements of barley roots under drought, taken in 2025 on twelve plots, with images and raw data.",
  authors: [
    {
      role: "Creator",
      orcid: "0000-0002-1825-0097",
      firstName: "Josiah",
      lastName: "Carberry",
      rorid: "https://ror.org/02skbsp27",
      affiliation: "IPK Gatersleben",
      address: "17 Canary Lane",
      city: "Canary City",
      zipCode: "06466",
      country: "Germany",
    },
  ] as EdalAuthor[],
  language: "",
  subjects: ["barley"],
  license: "CC-BY-4.0",
  embargoDate: "",
};

/** An answer, which the client does not look at. */
export interface EdalAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members of any answer
  json: any;
}

/**
 * The requests of the web client of e!DAL-PGP in its local mode (edal-web, `Questionnaire.svelte`, of May 2026): one form for each file,
 * with the parts in its order, ten at the same time; and the title at the end. It takes any answer for a success.
 */
export class EdalClient {
  readonly #api: () => Api;
  readonly #agent: string;

  /** @param agent the beginning of what its browser sends as `User-Agent` */
  constructor(api: () => Api, agent = "Mozilla/5.0 (X11; Linux x86_64)") {
    this.#api = api;
    this.#agent = agent;
  }

  /** The form of one file. */
  form({ webkitRelativePath, bytes }: ChosenFile, of: typeof edalMetadata): FormData {
    const form = new FormData();
    const name = webkitRelativePath.split("/").at(-1) ?? "";
    form.set("file", new File([new Uint8Array(bytes)], name), name);
    const metadata = JSON.parse(JSON.stringify(of));
    metadata.authors = metadata.authors.map(({ affiliation, city, ...rest }: EdalAuthor) => {
      return { ...rest, address: `${affiliation ?? ""}, ${city ?? ""}, ${rest.address ?? ""}` };
    });
    form.set("metaData", JSON.stringify(metadata));
    const parts = webkitRelativePath.split("/");
    parts[0] = of.title;
    form.set("path", parts.slice(0, -1).join("/"));
    return form;
  }

  async send(body: FormData): Promise<EdalAnswer> {
    return this.#post("/submission/upload/dataset", { body });
  }

  /** Sends all files, and returns the answers in their order. */
  async sendAll(files: readonly ChosenFile[], metadata = edalMetadata): Promise<EdalAnswer[]> {
    const answers: EdalAnswer[] = [];
    const queue = [...files.entries()];
    const sendNext = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        answers[next[0]] = await this.send(this.form(next[1], metadata));
      }
    };
    await Promise.all(Array.from({ length: 10 }, sendNext));
    return answers;
  }

  async publish(title: string): Promise<EdalAnswer> {
    const headers = { "Content-Type": "application/json" };
    return this.#post("/submission/publication/publish", { headers, body: JSON.stringify({ title }) });
  }

  async #post(
    path: string,
    { headers, body }: { headers?: Record<string, string>; body: FormData | string },
  ): Promise<EdalAnswer> {
    const { url, headers: general } = this.#api();
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { "user-agent": this.#agent, ...general, ...headers },
      body,
    });
    return { status: answer.status, headers: answer.headers, json: await answer.json() };
  }
}
