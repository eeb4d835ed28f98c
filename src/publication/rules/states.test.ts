import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import { isOpen, publicVisibility } from "./access.ts";
import {
  decide,
  isPossibleIn,
  type Party,
  PUBLICATION_ACTIONS,
  PUBLICATION_STATES,
  type PublicationAction,
  type PublicationState,
} from "./states.ts";

/** Every possible action, written down again and independently: `state action → next state: parties`. */
const EXPECTED = `
private request → in_review: owner admin
private reserve-doi → private: owner admin
in_review reserve-doi → in_review: owner admin
changes_requested reserve-doi → changes_requested: owner admin
declined reserve-doi → declined: owner admin
approved reserve-doi → approved: owner admin
in_review assign → in_review: curator admin
in_review comment → in_review: owner curator admin
in_review resolve → in_review: owner curator admin
in_review request-changes → changes_requested: curator admin
in_review decline → declined: curator admin
in_review approve → approved: curator admin
in_review take-back → private: owner admin
changes_requested request → in_review: owner admin
changes_requested assign → changes_requested: curator admin
changes_requested comment → changes_requested: owner curator admin
changes_requested resolve → changes_requested: owner curator admin
changes_requested take-back → private: owner admin
declined request → in_review: owner admin
declined comment → declined: owner curator admin
declined resolve → declined: owner curator admin
approved assign → approved: curator admin
approved comment → approved: owner curator admin
approved resolve → approved: owner curator admin
approved take-back → private: owner curator admin
approved publish → registering: owner admin
registering comment → registering: owner curator admin
registering resolve → registering: owner curator admin
registering publish → registering: owner curator admin
registering change-access → registering: owner curator admin
published publish → published: owner curator admin
withdrawn publish → withdrawn: owner curator admin
registering take-back → private: owner curator admin
registering withdraw → withdrawn: owner curator admin
published comment → published: owner curator admin
published resolve → published: owner curator admin
published change-access → published: owner curator admin
published withdraw → withdrawn: curator admin
`
  .trim()
  .split("\n")
  .map((line) => /^(\S+) (\S+) → (\S+): (.*)$/.exec(line)?.slice(1) ?? []);

describe("the table of states, actions and parties", () => {
  const cases = PUBLICATION_STATES.flatMap((state) =>
    PUBLICATION_ACTIONS.flatMap((action) =>
      (["owner", "curator", "admin"] as const).map((party) => [state, action, party] as const),
    ),
  );

  test.each(cases)("%s %s by %s", (state, action, party) => {
    const [, , to, parties] = EXPECTED.find(([from, name]) => from === state && name === action) ?? [];
    const wanted =
      to === undefined ? { refused: "state" } : parties?.split(" ").includes(party) ? { to } : { refused: "party" };
    expect(decide(state, action, [party], "review")).toEqual(wanted);
  });

  test("a caller without a relation to the dataset can do nothing", () => {
    for (const state of PUBLICATION_STATES)
      for (const action of PUBLICATION_ACTIONS) expect(decide(state, action, [], "review")).toHaveProperty("refused");
  });

  test("an owner who is a curator can do what either can", () => {
    const both: Party[] = ["owner", "curator"];
    expect(decide("in_review", "approve", both, "review")).toEqual({ to: "approved" });
    expect(decide("approved", "publish", both, "review")).toEqual({ to: "registering" });
  });

  test("without review, a request is an approval; nothing else differs", () => {
    for (const [state, action, party] of cases) {
      const reviewed = decide(state, action, [party], "review");
      const direct = decide(state, action, [party], "direct");
      const isRequest = action === "request" && "to" in reviewed;
      expect(direct).toEqual(isRequest ? { to: "approved" } : reviewed);
    }
  });

  test("while the service publishes nothing, people can still close what is public, or could become public", () => {
    const left = PUBLICATION_ACTIONS.filter((action) => isPossibleIn("off", action));
    expect(left).toEqual(["take-back", "change-access", "withdraw"]);
    for (const action of PUBLICATION_ACTIONS) expect(isPossibleIn("review", action)).toBe(true);
  });

  test("every state except “withdrawn” can be left, and “withdrawn” and “published” never lead back", () => {
    const next = (state: PublicationState) =>
      PUBLICATION_ACTIONS.flatMap((action: PublicationAction) => {
        const decision = decide(state, action, ["owner", "curator", "admin"], "review");
        return "to" in decision && decision.to !== state ? [decision.to] : [];
      });
    const left = PUBLICATION_STATES.filter((state) => next(state).length === 0);
    expect(left).toEqual(["withdrawn"]);
    expect(next("published")).toEqual(["withdrawn"]);
  });
});

describe("what the public may read", () => {
  const at = (time: string) => new Date(time);
  const now = at("2026-11-24T12:00:00Z");
  const publication = (state: PublicationState, access: AccessKind = "open", embargoDate: string | null = null) => ({
    state,
    announced: false,
    wasPublished: state === "published" || state === "withdrawn",
    retracted: false,
    access,
    embargoDate,
  });

  test("files of published versions only, and metadata from the request on that can make the DOI findable", () => {
    expect(publicVisibility(undefined, now)).toBe("none");
    const expected = { published: "files", withdrawn: "notice" } as Record<string, string>;
    for (const state of PUBLICATION_STATES) {
      expect(publicVisibility(publication(state), now)).toBe(expected[state] ?? "none");
      const announced = state === "registering" ? "metadata" : (expected[state] ?? "none");
      expect(publicVisibility({ ...publication(state), announced: true }, now)).toBe(announced);
    }
  });

  test("a notice where a DOI became public although the publication ended before it was complete", () => {
    const withdrawn = { ...publication("withdrawn"), wasPublished: false };
    expect(publicVisibility(withdrawn, now)).toBe("none");
    expect(publicVisibility({ ...withdrawn, retracted: true }, now)).toBe("notice");
    for (const state of ["private", "in_review", "changes_requested", "declined", "approved"] as const) {
      expect(publicVisibility({ ...publication(state), retracted: true }, now)).toBe("notice");
    }
    const again = { ...publication("registering"), retracted: true };
    expect(publicVisibility(again, now)).toBe("notice");
    expect(publicVisibility({ ...again, announced: true }, now)).toBe("metadata");
    expect(publicVisibility({ ...publication("published"), retracted: true }, now)).toBe("files");
  });

  test.each([
    ["2026-11-23T23:59:59.999Z", false],
    ["2026-11-24T00:00:00.000Z", true],
    ["2026-11-24T00:59:59+01:00", false],
    ["2026-11-24T01:00:00+01:00", true],
    ["2027-01-01T00:00:00Z", true],
    // The clock was set back: the embargo is in force again.
    ["2020-01-01T00:00:00Z", false],
  ])("an embargo until 2026-11-24 at %s: open %s", (time, open) => {
    const embargoed = publication("published", "embargoed", "2026-11-24");
    expect(publicVisibility(embargoed, at(time))).toBe(open ? "files" : "metadata");
  });

  test("restricted files are never open, and an embargo without a date never ends", () => {
    expect(isOpen({ access: "restricted", embargoDate: null }, now)).toBe(false);
    expect(isOpen({ access: "restricted", embargoDate: "2000-01-01" }, now)).toBe(false);
    expect(isOpen({ access: "embargoed", embargoDate: null }, now)).toBe(false);
    expect(isOpen({ access: "embargoed", embargoDate: "nonsense" }, now)).toBe(false);
  });
});

describe("docs/publication.md", () => {
  const page = readFileSync(new URL("../../../docs/publication.md", import.meta.url), "utf8");
  const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));

  /** The states of a cell, such as “`approved` (owner), `registering`”, each with its parties. */
  function statesIn(cell: string, parties: string): Map<string, string> {
    const [, named = ""] = /^all except (.*)$/.exec(cell) ?? [];
    const [, before] = /^all before `(.*)`$/.exec(cell) ?? [];
    const excepted = [...named.matchAll(/`([a-z_]+)`/g)].map(([, state]) => state);
    const all = PUBLICATION_STATES.filter((state) => named !== "" && !excepted.includes(state));
    const earlier =
      before === undefined ? [] : PUBLICATION_STATES.slice(0, PUBLICATION_STATES.indexOf(before as never));
    const found = new Map<string, string>([...all, ...earlier].map((state) => [state, parties]));
    if (found.size > 0) return found;
    let open: string[] = [];
    for (const [, state, own] of cell.matchAll(/`([a-z_]+)`|\(([a-z, ]+)\)/g)) {
      if (state !== undefined) open.push(state);
      else {
        for (const one of open) found.set(one, own ?? "");
        open = [];
      }
    }
    for (const one of open) found.set(one, parties);
    return found;
  }

  test.each(PUBLICATION_ACTIONS)("states when and by whom %s is possible", (action) => {
    const [, , cell = "", parties = ""] = rows.find(([, name]) => name === `\`${action}\``) ?? [];
    const stated = statesIn(cell, parties);
    const allowed = PUBLICATION_STATES.flatMap((state) => {
      const by = (["owner", "curator"] as const).filter((party) => "to" in decide(state, action, [party], "review"));
      return by.length === 0 ? [] : [[state, by.join(", ")] as const];
    });
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(allowed));
  });
});
