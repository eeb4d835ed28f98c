import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { asReviewer, createLink } from "../support/api/reviewer-links.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { shown } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...openMetadata } = maximalMetadata;

/** A part without the marks for comments. */
const unmarked = (part: string) => part.replaceAll(/<div data-member="\w+"><\/div>/g, "");
const members = (part: string) => [...part.matchAll(/<div data-member="(\w+)">/g)].map(([, member]) => member);

let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.close();
});

describe("the parts of the page of a version", () => {
  let service: TestService;
  let ada: string;
  let bob: string;
  let cleo: string;

  beforeAll(async () => {
    service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    bob = (await tokens.create("bob", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
  });
  afterAll(async () => {
    await service.stop();
  });

  async function pageOf(dataset: string, token?: string, more = "&lang=en") {
    const headers = token === undefined ? {} : bearer(token);
    const answer = await service.api.get(`/dataset/${dataset}?details=true${more}`, headers);
    return { ...answer, page: answer.json.details?.page as Record<string, string> };
  }

  test("are those of the landing page, and have a place for comments at each member of the metadata", async () => {
    const { dataset } = await archiveAs(service, s3, ada, { metadata: openMetadata });
    const before = await pageOf(dataset, ada);
    expect(before.headers.get("cache-control")).toBe("no-store");
    expect((await pageOf(dataset)).status).toBe(401);
    expect((await pageOf(dataset, bob)).status).toBe(404);
    expect(shown(before.page.heading ?? "")).toContain("Archived on");
    expect(shown(before.page.citation ?? "")).toContain("[Unpublished data set]");
    expect(shown(before.page.citation ?? "")).toContain("This version is not published yet.");
    // The page itself has the title; the kind in other words is shown with the kind.
    const { title: __, resourceType: ___, ...others } = openMetadata;
    expect(Object.values(before.page).flatMap(members).toSorted()).toEqual(Object.keys(others).toSorted());

    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, access: "open" });
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    await service.settled();
    for (const lang of ["en", "de"]) {
      const landing = await fetch(`${service.url}/dataset/${dataset}?lang=${lang}`, {
        headers: { accept: "text/html" },
      });
      const text = await landing.text();
      const { page } = await pageOf(dataset, undefined, `&lang=${lang}`);
      for (const part of ["heading", "description", "citation", "further", "exports"]) {
        expect([part, text.includes(unmarked(page[part] ?? "").trim())]).toEqual([part, true]);
      }
      expect(shown(text)).toContain(shown(unmarked(page.details ?? "")).slice(0, 200));
    }
  });

  test("reviewers get those of their view, without names and without links to the dataset", async () => {
    const { dataset } = await archiveAs(service, s3, ada, { metadata: openMetadata });
    const anonymous = await createLink(service, ada, dataset);
    const { page } = (await asReviewer(service, anonymous.secret)).json;
    expect(shown(page.description)).toContain(openMetadata.description);
    expect(JSON.stringify(page)).not.toMatch(/Carberry|Brown University|orcid\.org/);
    const named = await createLink(service, ada, dataset, { anonymous: false });
    const { page: whole } = (await asReviewer(service, named.secret)).json;
    expect(shown(whole.heading)).toContain("Carberry, Josiah");
    for (const one of [page, whole]) {
      expect(JSON.stringify(one)).not.toContain(dataset);
      expect(one).not.toHaveProperty("citation");
      expect(Object.values(one as Record<string, string>).flatMap(members)).toEqual([]);
    }
  });
});

test("a service that only archives cites the address, and has no catalogue for keywords", async () => {
  const service = await startTestService();
  try {
    const { dataset } = await archiveAs(service, s3, undefined, { metadata: goodMetadata });
    const { page } = (await service.api.get(`/dataset/${dataset}?details=true&lang=de`)).json.details;
    expect(page.citation).toContain(`<a href="${service.url}/dataset/${dataset}?version=1">`);
    expect(shown(page.citation)).toContain("[Datensatz]");
    expect(page.details).toContain(`<li><span>${goodMetadata.subjects[0]}</span></li>`);
  } finally {
    await service.stop();
  }
});

test("the owner of a dataset with many files is advised to reserve a DOI", { tags: "extended" }, async () => {
  const account = await openDatacite();
  const service = await startTestService({ ACCESSION_PUBLICATION: "direct", ...account.settings() });
  try {
    const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n % 100}/${n}.txt`, "1"]));
    const { dataset } = await archiveAs(service, s3, undefined, { metadata: goodMetadata, files });
    const { details } = (await service.api.get(`/dataset/${dataset}?details=true&lang=en`)).json;
    expect(details.publication).toBeNull();
    expect(shown(details.page.citation)).toContain("Reserve a DOI first");
  } finally {
    await service.stop();
    await account.close();
  }
});
