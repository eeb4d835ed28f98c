import { parseRobots } from "../../public/usage/agents.ts";
import { parseChoice, SettingError } from "./parse.ts";
import type { Read } from "./settings.ts";
import { readText } from "./text-files.ts";

/** COUNTER’s list has about 100 kB. */
const MOST_ROBOTS_BYTES = 1_000_000;

export interface UsageSettings {
  enabled: boolean;
  /** The operator's list of robots; undefined for the list that is part of the service. */
  robots: RegExp | undefined;
}

export function usageOf(read: Read): UsageSettings {
  return {
    enabled: read("USAGE_STATISTICS", true, (text) => parseChoice(text, ["on", "off"]) === "on"),
    robots: read<RegExp | undefined>("USAGE_ROBOTS", undefined, readRobots),
  };
}

function readRobots(file: string): RegExp {
  const text = readText(file, MOST_ROBOTS_BYTES);
  try {
    return parseRobots(text);
  } catch (error) {
    throw new SettingError(`names the file “${file}”, which ${(error as Error).message}`);
  }
}
