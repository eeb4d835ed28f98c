import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Agents, parseRobots } from "./agents.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";

describe("clients are classified by their user agent", () => {
  test.each([
    [FIREFOX, "regular"],
    [SAFARI, "regular"],
    ["curl/8.5.0", "machine"],
    ["Wget/1.21.4", "machine"],
    ["python-requests/2.32.3", "machine"],
    ["R (4.4.1 x86_64-pc-linux-gnu x86_64 linux-gnu)", "machine"],
    ["Go-http-client/2.0", "machine"],
    ["node", "machine"],
    ["Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.26100.1", "machine"],
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "robot"],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "robot"],
    ["facebookexternalhit/1.1", "robot"],
    ["", "robot"],
    ["-", "robot"],
  ])("%s", (agent, kind) => {
    const agents = new Agents();
    expect([agents.kindOf(agent), agents.kindOf(agent)]).toEqual([kind, kind]);
  });

  test("by the operator’s list instead, except programs", () => {
    const agents = new Agents(parseRobots(readFileSync("tests/fixtures/robots.json", "utf8")));
    const agentsOf = ["Collector/2", "A PreviewService", "My collector/2", "Googlebot/2.1", "curl/8.5.0"];
    expect(agentsOf.map((agent) => agents.kindOf(agent))).toEqual(["robot", "robot", "regular", "regular", "machine"]);
  });
});

test.each([
  ["", "is not JSON"],
  ["{}", "is not an array of patterns"],
  ["[]", "is not an array of patterns"],
  ['[{"pattern":"bot"},null]', "has no pattern in entry 2"],
  ['[{"pattern":"("}]', "has an invalid pattern in entry 1"],
])("the list %j %s", (text, problem) => {
  expect(() => parseRobots(text)).toThrow(problem);
});
