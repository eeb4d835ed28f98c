import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "../../../packages/client/src/index.ts";
import type { Client } from "../client/client.ts";
import type { Output } from "../terminal/output.ts";
import { show, styled } from "../terminal/text.ts";

const POLL_MS = 200;
const LONGEST_MS = 30_000;
/** A search that finds the dataset of the demo. */
const SEARCH = "winter wheat irrigation";

/**
 * Publishes the dataset of the demo as its owner and a curator would: request, approval, registration of the DOI at the
 * demo’s own server. Does nothing if it was published earlier. Then finds the landing page through the catalogue, as readers do.
 */
export async function publishDemo(
  client: Client,
  output: Output,
  { id, url }: { id: string; url: string },
  stop: AbortSignal,
): Promise<void> {
  const params = { path: { id } };
  const ask = () => client.ask(client.api.GET("/dataset/{id}/publication", { params }));
  let now = await ask();
  if (now.state === "private") {
    now = await client.ask(
      client.api.POST("/dataset/{id}/publication/request", { params, body: { agreement: true, access: "open" } }),
    );
  }
  if (now.state === "in_review") {
    // An approval names the state that the curator has seen.
    const { headers } = await client.askWithHeaders(client.api.GET("/dataset/{id}/publication", { params }));
    const header = { "if-match": headers.get("etag") ?? "" };
    now = await client.ask(
      client.api.POST("/dataset/{id}/publication/approve", { params: { ...params, header }, body: {} }),
    );
  }
  for (const end = Date.now() + LONGEST_MS; now.state === "registering" && Date.now() < end; now = await ask()) {
    await sleep(POLL_MS, undefined, { signal: stop });
  }
  sayPublished(output, now);
  if (now.state === "published") await sayFound(client, output, { id, url }, stop);
}

function sayPublished(output: Output, { state, doi, problem }: components["schemas"]["Publication"]): void {
  output.say(styled("bold", "Publication"));
  if (state === "published" && doi !== null) {
    output.say(show`  reviewed, and published under the DOI ${doi}`);
    output.say(show`  The DOI is a demonstration: it exists only on a server of this demo`);
  } else output.say(show`  ${state.replaceAll("_", " ")}${problem === null ? "" : `: ${problem.message}`}`);
}

/** Searches the catalogue, and prints the address of the landing page that it finds. */
async function sayFound(
  client: Client,
  output: Output,
  { id, url }: { id: string; url: string },
  stop: AbortSignal,
): Promise<void> {
  const find = async () => {
    const { datasets } = await client.ask(client.api.GET("/datasets", { params: { query: { q: SEARCH } } }));
    return datasets.find((one) => one.id === id)?.url;
  };
  let found = await find();
  for (const end = Date.now() + LONGEST_MS; found === undefined && Date.now() < end; found = await find()) {
    await sleep(POLL_MS, undefined, { signal: stop });
  }
  if (found === undefined) return;
  output.say(show`${styled("bold", "Landing page")}\n  ${found}`);
  output.say(show`  found in the catalogue: ${url}/?${new URLSearchParams({ q: SEARCH }).toString()}`);
}

/** Metadata of the demo. The dataset and its author (the example researcher of orcid.org) are fictitious. */
export const DEMO_METADATA = {
  title: "Wheat under two irrigation regimes: soil, leaf and root measurements, 2026",
  description:
    "Hourly soil moisture, air temperature and leaf area index of 24 plots of winter wheat under full and reduced irrigation, with photographs of leaves, scans of roots and raw spectrometer runs. A fictitious field trial to try Accession. All values are generated.",
  authors: [
    {
      role: "Creator",
      firstName: "Josiah",
      lastName: "Carberry",
      orcid: "0000-0002-1825-0097",
      affiliation: "Brown University",
      rorid: "https://ror.org/05gq02987",
      country: "US",
    },
  ],
  language: "en",
  subjects: ["winter wheat", "irrigation", "plant phenotyping", "soil moisture"],
  license: "CC-BY-4.0",
};
