import { Argument, type Command } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, DATASET, given } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { OK, show, styled } from "../../terminal/text.ts";

type Collection = components["schemas"]["Collection"];
type Content = components["schemas"]["CollectionContent"];

const COLLECTION = new Argument("<collection>", "id of the collection");

/** `collection`: collections of published datasets. */
export function addCollection(program: Command): void {
  const collection = program.command("collection").description("group published datasets");
  addListing(collection);
  addShow(collection);
  addSet(collection);
  addDelete(collection);
  addMembers(collection);
}

const COLUMNS: readonly Column<Collection>[] = [
  { title: "collection", cell: ({ id }) => id },
  { title: "datasets", cell: ({ datasets }) => String(datasets) },
  { title: "curators", cell: curatorsOf, dispensable: 2 },
  { title: "name", cell: ({ name }) => name.en, fills: true },
];

function addListing(collection: Command): void {
  addApiCommand(collection, "list", "list the collections").action(async (options) => {
    const { client, output } = clientOf(options);
    const found = each(client.ask(client.api.GET("/collections", {})));
    await sayTable(output, found, { columns: COLUMNS, none: show`No collections`, format: fullTable });
  });
}

function addShow(collection: Command): void {
  addApiCommand(collection, "show", "show a collection")
    .addArgument(COLLECTION)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      say(output, await client.ask(client.api.GET("/collections/{id}", { params: { path: { id } } })));
    });
}

function addSet(collection: Command): void {
  addApiCommand(collection, "set", "create a collection, or change what is given, as an admin")
    .addArgument(COLLECTION)
    .option("--name <text>", "English name (required for a new collection)")
    .option("--name-de <text>", "German name; empty to remove it")
    .option("--description <text>", "English description, which can contain simple HTML markup")
    .option("--description-de <text>", "German description; empty to remove it")
    .option("--curators <names...>", "account names of the curators; “all” for all curators")
    .option("--licences <ids...>", "SPDX ids of the accepted licences; “all” for all licences")
    .action(async (id, { json, ...changes }) => {
      const { client, output } = clientOf(given({ json }));
      const found = await currentOf(client, id);
      const body = changed(found?.collection, changes);
      const header = found === undefined ? {} : { "if-match": found.etag };
      const request = client.api.PUT("/collections/{id}", { params: { path: { id }, header }, body });
      say(output, await client.ask(request));
    });
}

interface Changes {
  name?: string;
  nameDe?: string;
  description?: string;
  descriptionDe?: string;
  curators?: string[];
  licences?: string[];
}

/** The collection with its ETag; undefined if there is none with this id. */
async function currentOf(client: Client, id: string): Promise<{ collection: Collection; etag: string } | undefined> {
  const collections = await client.ask(client.api.GET("/collections", {}));
  if (!collections.some((one) => one.id === id)) return undefined;
  const get = client.api.GET("/collections/{id}", { params: { path: { id } } });
  const { data: collection, headers } = await client.askWithHeaders(get);
  return { collection, etag: headers.get("etag") ?? "*" };
}

/** The content after the changes. What is not given stays as it is. */
function changed(before: Collection | undefined, changes: Changes): Content {
  const { name = before?.name.en ?? "", nameDe = before?.name.de } = changes;
  const { description = before?.description.en ?? "", descriptionDe = before?.description.de } = changes;
  return {
    name: localText(name, nameDe),
    description: localText(description, descriptionDe),
    curators: allOr(changes.curators) ?? before?.curators ?? [],
    licences: allOr(changes.licences) ?? before?.licences ?? [],
  };
}

function localText(en: string, de: string | undefined): { en: string; de?: string } {
  return { en, ...(de !== undefined && de !== "" && { de }) };
}

function allOr(names: string[] | undefined): string[] | undefined {
  return names?.length === 1 && names[0] === "all" ? [] : names;
}

function addDelete(collection: Command): void {
  addApiCommand(collection, "delete", "delete a collection, as an admin; its datasets stay published")
    .addArgument(COLLECTION)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE("/collections/{id}", { params: { path: { id } } }));
      output.data({ id, deleted: true });
      output.say(show`${OK} The collection ${id} is deleted. Its datasets stay published.`);
    });
}

const MEMBER = "/collections/{id}/datasets/{dataset}";

function addMembers(collection: Command): void {
  addApiCommand(collection, "add", "add a published dataset to a collection")
    .addArgument(COLLECTION)
    .addArgument(DATASET)
    .action(async (id, dataset, options) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.PUT(MEMBER, { params: { path: { id, dataset } } }));
      output.data({ collection: id, dataset, member: true });
      output.say(show`${OK} ${dataset} belongs to the collection ${id}`);
    });
  addApiCommand(collection, "remove", "remove a dataset from a collection; it stays published")
    .addArgument(COLLECTION)
    .addArgument(DATASET)
    .action(async (id, dataset, options) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE(MEMBER, { params: { path: { id, dataset } } }));
      output.data({ collection: id, dataset, member: false });
      output.say(show`${OK} ${dataset} does not belong to the collection ${id}`);
    });
}

function say(output: Output, collection: Collection): void {
  output.data(collection);
  const { name, description, licences, datasets, url } = collection;
  output.say(show`${styled("bold", name.en)}`, { hang: 2 });
  const row = output.rows(11);
  if (name.de !== undefined) row("German", show`${name.de}`);
  if (description.en !== "") row("description", show`${description.en}`);
  if (description.de !== undefined) row("German", show`${description.de}`);
  row("datasets", show`${String(datasets)}`);
  if (collection.curators !== undefined) row("curators", show`${curatorsOf(collection)}`);
  row("licences", show`${licences.length === 0 ? "all" : licences.join(", ")}`);
  row("page", show`${url}`);
}

/** Only curators and admins see their names. */
function curatorsOf({ curators }: Collection): string {
  if (curators === undefined) return "";
  return curators.length === 0 ? "all" : curators.join(", ");
}

async function* each<Entry>(list: Promise<Entry[]>): AsyncGenerator<Entry> {
  yield* await list;
}
