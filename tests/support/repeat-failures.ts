import type { Reporter, TestModule } from "vitest/node";
import { seed } from "./seed.ts";

/** Prints, after the test results, a command for each file with a failure. It runs the same tests with the same inputs. */
export class RepeatFailures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      if (module.state() !== "failed") continue;
      const { EXTENDED } = process.env;
      const settings = [`TEST_SEED=${seed}`, ...(EXTENDED === undefined ? [] : [`EXTENDED=${EXTENDED}`])].join(" ");
      console.log(`Repeat: ${settings} npx vitest run --project ${module.project.name} ${module.relativeModuleId}`);
    }
  }
}
