/** A JSON object with its members in order, including repeated names, which `JSON.parse` does not show. */
export class Members {
  readonly list: [name: string, value: Json][];

  constructor(list: [name: string, value: Json][] = []) {
    this.list = list;
  }

  get(name: string): Json | undefined {
    return this.list.find(([one]) => one === name)?.[1];
  }

  get names(): string[] {
    return this.list.map(([name]) => name);
  }

  get hasTwice(): boolean {
    return new Set(this.names).size < this.list.length;
  }
}

export type Json = null | boolean | number | string | Json[] | Members;

/** Reads JSON (RFC 8259). @throws SyntaxError */
export function readMembers(text: string): Json {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g) ?? [];
  let at = 0;
  const take = (wanted?: string) => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new SyntaxError(`not ${wanted}: ${token}`);
    return token;
  };
  const list = <T>(end: string, one: () => T): T[] => {
    const all: T[] = [];
    while (tokens[at] !== end) {
      if (all.length > 0) take(",");
      all.push(one());
    }
    take(end);
    return all;
  };
  const member = (): [string, Json] => {
    const name = JSON.parse(take()) as unknown;
    if (typeof name !== "string") throw new SyntaxError("a name that is not a string");
    take(":");
    return [name, value()];
  };
  const value = (): Json => {
    const token = take();
    if (token === "{") return new Members(list("}", member));
    if (token === "[") return list("]", value);
    return JSON.parse(token) as Json;
  };
  const whole = value();
  if (at < tokens.length) throw new SyntaxError("more than one value");
  return whole;
}

/** Writes what {@link readMembers} reads. */
export function writeMembers(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeMembers).join(",")}]`;
  if (!(value instanceof Members)) return JSON.stringify(value);
  return `{${value.list.map(([name, one]) => `${JSON.stringify(name)}:${writeMembers(one)}`).join(",")}}`;
}
