/** A record as a harvester stores it. */
export interface StoredRecord {
  datestamp: string;
  isDeleted: boolean;
  sets: string[];
  /** Empty for a deletion, and for headers. */
  metadata: string;
}

/** A page of a list. */
export interface ListedPage {
  responseDate: string;
  records: [identifier: string, record: StoredRecord][];
  token: string;
  cursor: number;
  size: number;
}

/** Reads lists by OAI-PMH, page by page. */
export class Harvester {
  readonly #baseUrl: string;

  constructor(service: { url: string }) {
    this.#baseUrl = `${service.url}/oai`;
  }

  /** The answer to a request, which has status 200 for any arguments. */
  async ask(parameters: Record<string, string> | string): Promise<string> {
    const response = await fetch(`${this.#baseUrl}?${new URLSearchParams(parameters)}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    return text;
  }

  /** All pages of a list. The list must not be empty. */
  async *pages(verb: "ListRecords" | "ListIdentifiers", selection: Record<string, string>): AsyncGenerator<ListedPage> {
    let parameters: Record<string, string> = { verb, ...selection };
    for (;;) {
      const page = readPage(await this.ask(parameters));
      yield page;
      if (page.token === "") return;
      parameters = { verb, resumptionToken: page.token };
    }
  }
}

function readPage(text: string): ListedPage {
  if (text.includes("<error ")) throw new Error(text);
  const token = /<resumptionToken completeListSize="(\d+)" cursor="(\d+)"(?:\/>|>([^<]*)<)/.exec(text);
  const records = text.split("<header").slice(1);
  return {
    responseDate: contentOf(text, "responseDate"),
    records: records.map((record) => [
      contentOf(record, "identifier"),
      {
        datestamp: contentOf(record, "datestamp"),
        isDeleted: record.startsWith(' status="deleted"'),
        sets: [...record.matchAll(/<setSpec>(.*?)<\/setSpec>/g)].map(([, spec = ""]) => spec),
        metadata: contentOf(record, "metadata"),
      },
    ]),
    token: token?.[3] ?? "",
    size: Number(token?.[1] ?? records.length),
    cursor: Number(token?.[2] ?? 0),
  };
}

/** The content of the first element with this name, which must have no attributes; empty without one. */
export function contentOf(text: string, name: string): string {
  return new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(text)?.[1] ?? "";
}
