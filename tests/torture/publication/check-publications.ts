import { setTimeout as sleep } from "node:timers/promises";
import type { DataciteServer, DoiRecord } from "../../../packages/datacite-test-server/src/index.ts";
import type { Api } from "../../support/api/api.ts";
import type { Violation } from "../../support/invariants/invariants.ts";
import { checkRecords } from "./check-records.ts";
import type { TestedDataset, TestedVersion } from "./tested-dataset.ts";

/** DataCite works again: the service must have sent everything until then. */
const SETTLE_MS = 120_000;

/** What the check reads, after all plans are completed. */
export interface CheckedPublications {
  api: Api;
  datacite: DataciteServer;
  /** The folder of the archive. */
  archive: string;
  /** Whether the datasets have concept DOIs. */
  conceptDois: boolean;
  datasets: readonly TestedDataset[];
}

type Expect = (holds: boolean, detail: string) => void;

/**
 * Checks states, identifiers and records of all datasets, and that DataCite has no other DOIs. Repeats the check until the
 * service has sent and stored everything, and returns what is wrong when the time is up.
 */
export async function checkPublications(checked: CheckedPublications): Promise<Violation[]> {
  let details: string[] = [];
  for (const end = Date.now() + SETTLE_MS; ; await sleep(200)) {
    details = [...(await datasetFaults(checked)), ...(await accountFaults(checked))];
    if (details.length === 0 || Date.now() > end) break;
  }
  details.push(...(await listFaults(checked)));
  return details.map((detail) => ({ invariant: "publications hold", detail }));
}

/** What is not right, or not finished yet, of datasets. Asks for another try of what is delayed. */
export async function datasetFaults(checked: CheckedPublications): Promise<string[]> {
  const { api, archive, datasets } = checked;
  const faults: string[] = [];
  const expect: Expect = (holds, detail) => {
    if (!holds) faults.push(detail);
  };
  const keys = (await api.get("/.well-known/jwks.json")).json;
  for (const dataset of datasets) {
    const views = [];
    for (const version of dataset.versions) {
      const view = await viewOf(api, dataset, version);
      const of = `version ${version.number} of ${dataset.id}`;
      expect(view.problem === null, `${of} has the problem ${JSON.stringify(view.problem)}`);
      if (view.problem !== null && view.state !== "private") {
        await api.post(`/dataset/${dataset.id}/publication/publish?version=${version.number}`, {});
      }
      checkState(dataset, version, view, expect);
      checkDoi(checked, { dataset, version }, view, expect);
      await checkRecords({ archive, keys }, { dataset, version }, view, expect);
      views.push(view);
    }
    checkConcept(checked, dataset, views, expect);
  }
  return faults;
}

/** DOIs of the account that belong to no dataset. The service deletes a draft of an interrupted test of the account later. */
async function accountFaults({ api, datacite, datasets }: CheckedPublications): Promise<string[]> {
  const known = new Set<string>();
  for (const dataset of datasets) {
    for (const version of dataset.versions) {
      const { doi, conceptDoi } = await viewOf(api, dataset, version);
      known.add(doi).add(conceptDoi);
    }
  }
  const isOfTest = ({ state, attributes: { titles } }: DoiRecord) =>
    state === "draft" && JSON.stringify(titles ?? "").includes("Test of the account by Accession");
  const orphans = [...datacite.dois.values()].filter((record) => !known.has(record.doi) && !isOfTest(record));
  return orphans.map(({ doi, state }) => `the ${state} DOI ${doi} belongs to no version that the service knows`);
}

/** The publication, as its owner sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the check compares any member.
export type View = any;

async function viewOf(api: Api, { id }: TestedDataset, { number }: TestedVersion): Promise<View> {
  return (await api.get(`/dataset/${id}/publication?version=${number}`)).json;
}

const stateOf = ({ visibility }: TestedVersion) =>
  visibility === "public" ? "published" : visibility === "hidden" ? "private" : visibility;

/** Each action has taken effect once, although requests are repeated. */
function checkState({ id, plan }: TestedDataset, version: TestedVersion, view: View, expect: Expect): void {
  const of = `version ${version.number} of ${id}`;
  expect(view.state === stateOf(version), `${of} is ${view.state}, not ${stateOf(version)}`);
  const takesBack = version.number === 1 ? plan.takesBack : undefined;
  const isPublished = version.visibility !== "hidden";
  // A registration can be faster than the owner who takes it back.
  const hasRegistered = takesBack === "registering";
  const wasTakenBack = hasRegistered
    ? view.history.some((entry: { action: string }) => entry.action === "take-back")
    : takesBack !== undefined;
  const times = {
    request: Number(isPublished) + Number(wasTakenBack),
    "take-back": Number(wasTakenBack),
    approve: Number(isPublished) + Number(wasTakenBack && takesBack !== "in_review"),
    published: Number(isPublished),
    "change-access": Number(version.access !== plan.access),
    withdraw: Number(version.visibility === "withdrawn"),
  };
  for (const [action, expected] of Object.entries(times)) {
    const count = view.history.filter((entry: { action: string }) => entry.action === action).length;
    expect(count === expected, `the history of ${of} has “${action}” ${count} times, not ${expected} times`);
  }
  const access = isPublished ? version.access : view.access;
  expect(view.access === access, `${of} has the access ${view.access}, not ${access}`);
}

function checkDoi(
  { api, datacite }: CheckedPublications,
  { dataset, version }: { dataset: TestedDataset; version: TestedVersion },
  { doi, identifier }: View,
  expect: Expect,
): void {
  const record = datacite.dois.get(doi);
  if (version.visibility === "hidden") {
    const isDraft = record?.state === "draft" && record.attributes.url === undefined;
    const isRight = dataset.plan.reserves ? isDraft : doi === null;
    expect(isRight, `the DOI ${doi} of a private version is ${record?.state} at DataCite`);
    return;
  }
  const url = `${api.url}/dataset/${dataset.id}?version=${version.number}`;
  expect(identifier === `https://doi.org/${doi}`, `${url} was published as ${identifier}, and has the DOI ${doi}`);
  expectLink(record, { doi, url }, expect);
  const { titles, dates } = (record?.attributes ?? {}) as {
    titles?: { title: string }[];
    dates?: { dateType: string }[];
  };
  expect(titles?.[0]?.title === version.title, `${doi} has the title ${titles?.[0]?.title}, not ${version.title}`);
  const isWithdrawn = dates?.some(({ dateType }) => dateType === "Withdrawn") === true;
  const isRight = isWithdrawn === (version.visibility === "withdrawn");
  expect(isRight, `${doi} of a ${version.visibility} version has ${isWithdrawn ? "a" : "no"} date of withdrawal`);
}

/** Checks that a DOI is findable, with the address in its metadata and its handle. */
function expectLink(record: DoiRecord | undefined, { doi, url }: { doi: string; url: string }, expect: Expect): void {
  expect(record?.state === "findable", `the DOI ${doi} of ${url} is ${record?.state} at DataCite`);
  expect(record?.attributes.url === url, `the DOI ${doi} leads to ${String(record?.attributes.url)}, not to ${url}`);
  expect(record?.handle === url, `the handle of ${doi} leads to ${record?.handle}, not to ${url}`);
}

/** Checks that the versions have the same concept DOI, which names the DOIs of all published versions. */
function checkConcept(
  { api, datacite, conceptDois }: CheckedPublications,
  dataset: TestedDataset,
  views: readonly View[],
  expect: Expect,
): void {
  const published = dataset.versions.flatMap(({ visibility }, index) =>
    visibility === "hidden" ? [] : [views[index].doi],
  );
  const stated = new Set(views.map(({ conceptDoi }) => conceptDoi));
  const [doi] = stated;
  const isRight = stated.size === 1 && (doi !== null) === (conceptDois && published.length > 0);
  expect(isRight, `${dataset.id} has the concept DOIs ${[...stated].join(", ")}`);
  if (!isRight || doi === null) return;
  const record = datacite.dois.get(doi);
  expectLink(record, { doi, url: `${api.url}/dataset/${dataset.id}` }, expect);
  const related = (record?.attributes.relatedIdentifiers ?? []) as Record<string, string>[];
  const has = related.flatMap((one) => (one.relationType === "HasVersion" ? [one.relatedIdentifier] : []));
  const isSame = has.toSorted().join() === published.toSorted().join();
  expect(isSame, `the concept DOI ${doi} names ${has.join(", ")}, published are ${published.join(", ")}`);
}

/** What is wrong with the service's list of findable DOIs, and the differences that the service finds itself. */
async function listFaults({ api, datacite }: CheckedPublications): Promise<string[]> {
  await api.post("/doi/check", {});
  const listed = async (query: string) => (await api.get(`/doi?limit=100${query}`)).json as View[];
  let different = await listed("&different=true");
  for (const end = Date.now() + SETTLE_MS; different.length > 0 && Date.now() < end; await sleep(200)) {
    different = await listed("&different=true");
  }
  const faults = different.map(
    ({ doi, differences, problem }) =>
      `${doi} differs from the archive in ${differences.join(", ")}: ${JSON.stringify(problem)}`,
  );
  const names = (await listed("")).map(({ doi }) => doi).toSorted();
  const findable = [...datacite.dois.values()].flatMap(({ doi, state }) => (state === "findable" ? [doi] : []));
  if (names.join() !== findable.toSorted().join()) {
    faults.push(`the service lists the DOIs ${names.join(", ")}, DataCite has ${findable.join(", ")}`);
  }
  return faults;
}
