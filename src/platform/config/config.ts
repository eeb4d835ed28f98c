import { type Config, composeConfig } from "./compose.ts";
import { findContradictions, type Needs, unknownSettings } from "./problems.ts";
import { PREFIX, type Setting } from "./setting.ts";
import { settings } from "./settings.ts";
import { traceSettings } from "./traces.ts";

export type { Config } from "./compose.ts";
export type { Needs } from "./problems.ts";

/** All problems of the settings, one per line. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the settings once from an environment. An empty value means "not given".
 *
 * @throws ConfigError with all problems
 */
export function readConfig(environment: NodeJS.ProcessEnv, needs: Needs = { keys: true }): Config {
  const problems: string[] = unknownSettings(environment);
  const config = composeConfig(environment, problems);
  problems.push(...findContradictions(config, environment, needs));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The current settings with masked secrets. */
export function describeConfig(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = settings.map((setting: Setting) => ({ ...setting, name: PREFIX + setting.name }));
  return Object.fromEntries(
    [...own, ...(traceSettings as readonly Setting[])].map((setting) => {
      const value = environment[setting.name]?.trim();
      const shown = value && setting.secret ? "********" : value;
      return [setting.name, shown || `(${setting.default})`];
    }),
  );
}
