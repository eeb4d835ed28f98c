import fc from "fast-check";
import { expect, test } from "vitest";
import { anyMetadata } from "../../../tests/support/archive/generated-metadata.ts";
import { exportInputOf } from "../../../tests/support/archive/sample.ts";
import { agentOf } from "../metadata/agent.ts";
import { keywordsOf } from "../version-facts.ts";
import { csl } from "./csl.ts";
import { namePartsOf, oneLine } from "./export-input.ts";
import { ris } from "./ris.ts";

/** What a reader of CSL-JSON finds. */
interface CslItem {
  title: string;
  keyword?: string;
  language?: string;
  abstract: string;
  author: { family?: string; given?: string; suffix?: string; literal?: string }[];
  contributor?: CslItem["author"];
}

test("CSL of any dataset has title, texts, keywords and the parts of all names", () => {
  fc.assert(
    fc.property(anyMetadata, (metadata) => {
      const item = JSON.parse(JSON.stringify(csl(exportInputOf(metadata)))) as CslItem;
      expect(item.title).toBe(metadata.title);
      expect(item.language).toBe(metadata.language);
      // A separator within a keyword cannot be told from one between two.
      const keywords = keywordsOf(metadata);
      if (!keywords.some((keyword) => keyword.includes(";"))) expect(item.keyword?.split("; ") ?? []).toEqual(keywords);
      const agents = [true, false].flatMap((isCreator) =>
        metadata.authors.filter(({ role }) => (role === "Creator") === isCreator).map(agentOf),
      );
      const names = agents.map((agent) => {
        const parts = namePartsOf(agent);
        return agent.kind === "organisation" || Object.keys(parts).length === 0 ? { literal: agent.name } : parts;
      });
      const read = [...item.author, ...(item.contributor ?? [])].map((name) => {
        const { "comma-suffix": _, ...parts } = name as Record<string, unknown>;
        return parts;
      });
      expect(read).toEqual(JSON.parse(JSON.stringify(names)));
    }),
    { numRuns: 100 },
  );
});

test("RIS of any dataset has a line for each keyword", () => {
  fc.assert(
    fc.property(anyMetadata, (metadata) => {
      const lines = ris(exportInputOf(metadata)).split("\r\n");
      const read = lines.filter((line) => line.startsWith("KW  - ")).map((line) => line.slice(6));
      expect(read).toEqual(keywordsOf(metadata).map(oneLine));
    }),
    { numRuns: 100 },
  );
});
