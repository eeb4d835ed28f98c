import { setTimeout as sleep } from "node:timers/promises";
import { Argument, type Command } from "@commander-js/extra-typings";
import type { components, Page } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, DATASET, given, VERSION, versionQuery } from "../../api-command.ts";
import { Unsuccessful } from "../../terminal/failure.ts";
import { moment, several } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { FAILED, OK, show } from "../../terminal/text.ts";
import { sayPublication } from "./publication-output.ts";

type Doi = components["schemas"]["Doi"];
type AccountTest = components["schemas"]["AccountTest"];

const POLL_MS = 1_000;
const ONE_DATASET = new Argument("[dataset]", "only the DOIs of this dataset (UUID or urn:uuid:…)");

/**
 * `doi reserve`: reserves a DOI. `doi list`: lists the registered DOIs. `doi check`: compares them with DataCite. `doi test`: tests
 * the account.
 */
export function addDoi(program: Command): void {
  const doi = program.command("doi").description("reserve a DOI, check registered ones, and test the DataCite account");
  addApiCommand(doi, "reserve", "reserve a DOI for a version that is not published")
    .addOption(VERSION)
    .addArgument(DATASET)
    .action(reserveDoi);
  addApiCommand(doi, "list", "list registered DOIs, and how they differ from the archive")
    .addArgument(ONE_DATASET)
    .option("--different", "only those that differ, or could not be compared yet")
    .action(async (dataset, { different, ...options }) => {
      const { client, output } = clientOf(options);
      const listed = await readDois(client, given({ dataset, different }));
      await sayTable(output, listed, { columns: DOIS, none: show`No such DOIs`, format: fullTable });
    });
  addApiCommand(doi, "check", "compare registered DOIs with DataCite")
    .addArgument(ONE_DATASET)
    .option("--repair", "correct what differs")
    .addHelpText(
      "after",
      "\nThe exit code is 1 if a DOI differs, or cannot be compared. The last JSON line counts the compared DOIs,\nthose that differ, and those that could not be compared.",
    )
    .action(checkDois);
  addApiCommand(doi, "test", "test whether the service can register DOIs, with a draft that is deleted again")
    .addHelpText("after", "\nThe exit code is 1 if a step fails.")
    .action(testAccount);
}

async function reserveDoi(id: string, options: { json?: boolean; datasetVersion?: number }): Promise<void> {
  const { client, output } = clientOf(options);
  const params = { path: { id }, query: versionQuery(options) };
  let seen = await client.ask(client.api.POST("/dataset/{id}/publication/reserve-doi", { params, body: {} }));
  // DataCite confirms the DOI within seconds. Until then it could be replaced.
  while (seen.doi === null && !seen.isDelayed) {
    await sleep(POLL_MS);
    seen = await client.ask(client.api.GET("/dataset/{id}/publication", { params }));
  }
  sayPublication(output, seen);
  if (seen.doi === null) throw new Unsuccessful();
}

/** The registered DOIs that match. */
function readDois(
  client: ReturnType<typeof clientOf>["client"],
  filter: { dataset?: string; different?: boolean },
): Promise<Doi[]> {
  const read = (page: Page) => client.api.GET("/doi", { params: { query: { ...page, ...filter } } });
  return Array.fromAsync(client.pages<Doi>(read));
}

const DOIS: readonly Column<Doi>[] = [
  { title: "doi", cell: ({ doi }) => doi },
  { title: "dataset", cell: ({ dataset }) => dataset, dispensable: 1 },
  { title: "version", cell: ({ version }) => version?.toString() ?? "all" },
  { title: "compared", cell: ({ checkedAt }) => (checkedAt === null ? "" : moment(checkedAt)), dispensable: 2 },
  {
    title: "differs in",
    cell: ({ differences, problem }) => (problem === null ? differences.join(", ") : problem.message),
    fills: true,
  },
];

async function checkDois(
  dataset: string | undefined,
  { repair = false, ...options }: { json?: boolean; repair?: boolean },
): Promise<void> {
  const { client, output } = clientOf(options);
  const { queued } = await client.ask(client.api.POST("/doi/check", { body: given({ repair, dataset }) }));
  for (;;) {
    const listed = await readDois(client, given({ dataset, different: true }));
    // A comparison that fails is repeated later. The command does not wait for that.
    if (listed.every(({ checkedAt, problem }) => checkedAt !== null || problem !== null)) {
      sayFound(output, queued, listed);
      if (listed.length > 0) throw new Unsuccessful();
      return;
    }
    await sleep(POLL_MS);
  }
}

const STEPS: Record<AccountTest["steps"][number]["step"], string> = {
  credentials: "DataCite accepts the account and its password",
  domain: "The domains of the account include the address of this service",
  prefix: "The prefix belongs to the account",
  create_draft: "A draft can be created",
  delete_draft: "The draft was deleted",
};

async function testAccount(options: { json?: boolean }): Promise<void> {
  const { client, output } = clientOf(options);
  const result = await client.ask(client.api.POST("/doi/test"));
  output.data(result);
  for (const { step, status, problem } of result.steps) {
    const name = STEPS[step] ?? step;
    if (status === "ok") output.say(show`${OK} ${name}: ok`, { hang: 2 });
    else if (status === "skipped") output.say(show`· ${name}: not tested`, { hang: 2 });
    else output.say(show`${FAILED} ${name}: problem`, { hang: 2 });
    if (problem !== null) output.say(show`  ${problem.message} (${problem.code}). ${problem.action}`, { hang: 2 });
  }
  if (!result.ok) throw new Unsuccessful();
  output.say(show`The service can register DOIs`);
}

/** Prints the DOIs that differ and those that could not be compared, and finally how many there are of each. */
function sayFound(output: Output, queued: number, listed: Doi[]): void {
  for (const entry of listed) {
    const { doi, differences, problem } = entry;
    output.data(entry);
    const found = problem === null ? differences.join(", ") : `${problem.message}. ${problem.action}`;
    output.say(show`${FAILED} ${doi}: ${found}`, { hang: 2 });
  }
  const failed = listed.filter(({ problem }) => problem !== null).length;
  const different = listed.length - failed;
  const compared = Math.max(queued - failed, 0);
  output.data({ compared, different, failed });
  const found = different === 0 ? "no differences" : `${several(different, "DOI")} with differences`;
  output.say(show`${several(compared, "DOI")} compared, ${found}`);
  if (failed > 0) output.say(show`${several(failed, "DOI")} not compared; the service tries again`);
}
