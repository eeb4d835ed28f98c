import { expect, test } from "vitest";
import type { Report } from "../../../../packages/client/src/index.ts";
import { lacksRights } from "./check.ts";

const failing = (code: Report["steps"][number]["code"], hint: string): Pick<Report, "steps"> => ({
  steps: [{ name: "list", status: "failed", detail: "", note: null, values: {}, hint, code, milliseconds: 1 }],
});

test("a missing permission is detected by the code of the failed step, not by its hint", () => {
  expect(lacksRights(failing("list_denied", "Ask the storage administrator."))).toBe(true);
  expect(lacksRights(failing("read_denied", ""))).toBe(true);
  expect(lacksRights(failing("secret_key_wrong", "Copy the secret key again; no policy helps."))).toBe(false);
  expect(
    lacksRights({
      steps: [
        {
          name: "list",
          status: "passed",
          detail: "",
          note: null,
          values: {},
          hint: "policy",
          code: null,
          milliseconds: 1,
        },
      ],
    }),
  ).toBe(false);
});
