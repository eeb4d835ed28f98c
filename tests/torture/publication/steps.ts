import { type Api, goodMetadata } from "../../support/api/api.ts";
import type { TestedDataset, TestedVersion } from "./tested-dataset.ts";

/**
 * A step of people towards the end of a plan. It is called again and again, also after the process was killed, and returns
 * whether it is completed. It first asks for the present state, because the answer to the last action can be lost.
 */
export interface Step {
  version: TestedVersion;
  /** `settle` waits until the service has sent and stored everything. */
  act: Act | "archive" | "settle";
}

type Act = (api: Api, dataset: TestedDataset) => Promise<boolean>;

/** The steps of a plan after the first version is archived. */
export function stepsOf({ plan, versions }: TestedDataset): Step[] {
  const { takesBack, staysPrivate, restricts, revises, secondVersion, withdraws } = plan;
  const steps: Step[] = [];
  for (const version of versions) {
    const isFirst = version.number === 1;
    const isPublished = isFirst ? !staysPrivate : secondVersion === "published";
    if (!isFirst) steps.push({ version, act: "archive" });
    if (isFirst && takesBack !== undefined) steps.push({ version, act: requestAndTakeBack(version, takesBack) });
    if (isPublished) steps.push({ version, act: publish(version) });
    if (isPublished && restricts) steps.push({ version, act: restrict(version) });
  }
  // Only the newest version can be changed. It is changed last, because the invariants expect equal numbers of versions in
  // the archive and of the dataset.
  const newest = versions.at(-1);
  if (newest === undefined) return steps;
  if (revises) steps.push({ version: newest, act: revise(newest) });
  for (const version of versions) {
    if (withdraws === version.number) steps.push({ version, act: withdraw(version) });
  }
  return [...steps, { version: newest, act: "settle" }];
}

/** Embargoes that do not end while the test runs. */
const WISHES = {
  open: { access: "open" },
  embargoed: { access: "embargoed", embargoDate: "2099-05-01", reason: "The article appears later." },
  restricted: { access: "restricted", reason: "On request" },
};

const pathOf = ({ id }: TestedDataset, { number }: TestedVersion, action = "") =>
  `/dataset/${id}/publication${action}?version=${number}`;

/** Takes actions. An approval binds the state that was seen before. */
function actOf(api: Api, dataset: TestedDataset, version: TestedVersion, seen: Headers) {
  return (action: string, body: object = {}) => {
    const headers = action === "approve" ? { "if-match": seen.get("etag") ?? "" } : {};
    return api.post(pathOf(dataset, version, `/${action}`), body, headers);
  };
}

/**
 * Requests publication, and takes the request back in a state. The version remains hidden, unless it is being registered: then the
 * publication can be faster.
 */
function requestAndTakeBack(version: TestedVersion, when: "in_review" | "approved" | "registering"): Act {
  return async (api, dataset) => {
    const { json, headers } = await api.get(pathOf(dataset, version));
    const { state, history } = json;
    const act = actOf(api, dataset, version, headers);
    const isTakenBack = history.some(({ action }: { action: string }) => action === "take-back");
    if (isTakenBack || state === "published") return true;
    const publishOnApproval = when === "registering";
    if (state === "private") {
      await act("request", { agreement: true, publishOnApproval, ...WISHES[dataset.plan.access] });
    } else if (state === "in_review" && publishOnApproval) {
      version.visibility = "changing";
      await act("approve");
    } else if (state === when) await act("take-back", { comment: "A table is missing." });
    else if (state === "in_review") await act("approve");
    return false;
  };
}

/** Requests and approves publication, as often as needed, until the version is published. */
function publish(version: TestedVersion): Act {
  return async (api, dataset) => {
    const { access, publishOnApproval } = dataset.plan;
    const { json, headers } = await api.get(pathOf(dataset, version));
    const { state } = json;
    const act = actOf(api, dataset, version, headers);
    if (state === "published") version.visibility = "public";
    if (state === "private") await act("request", { agreement: true, publishOnApproval, ...WISHES[access] });
    if (state === "in_review") {
      if (publishOnApproval) version.visibility = "changing";
      await act("approve");
    }
    if (state === "approved") {
      version.visibility = "changing";
      await act("publish");
    }
    // An owner who waits asks for another try.
    if (state === "registering") await act("publish");
    return state === "published";
  };
}

/** Restricts the access to the files of a published version. */
function restrict(version: TestedVersion): Act {
  return async (api, dataset) => {
    const { access } = (await api.get(pathOf(dataset, version))).json;
    if (access === "restricted") version.access = access;
    else await api.post(pathOf(dataset, version, "/change-access"), WISHES.restricted);
    return access === "restricted";
  };
}

/** Changes the title of the newest version, which can be private. */
function revise(version: TestedVersion): Act {
  return async (api, dataset) => {
    version.retitle();
    const { title } = version;
    const path = `/dataset/${dataset.id}/metadata`;
    const before = (await api.get(path)).json.metadata.title;
    if (before === title) return true;
    await api.send(path, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
      headers: { "content-type": "application/json", "if-match": "*" },
    });
    return false;
  };
}

/** Withdraws a published version. */
function withdraw(version: TestedVersion): Act {
  return async (api, dataset) => {
    const { state } = (await api.get(pathOf(dataset, version))).json;
    if (state === "withdrawn") version.visibility = "withdrawn";
    else {
      version.visibility = "changing";
      await api.post(pathOf(dataset, version, "/withdraw"), { reason: "It contains a name." });
    }
    return state === "withdrawn";
  };
}
