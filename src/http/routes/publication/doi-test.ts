import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { ACCOUNT_STEPS } from "../../../publication/rules/account-test.ts";
import { goneSignal } from "../../fastify.ts";
import { documented, operation } from "../../operation.ts";
import { flag, list, nullable, object } from "../../schemas/basics.ts";
import { RegistrationProblemView } from "../../schemas/publication.ts";

const AccountStepView = object("AccountTestStep", "A step of the test of the DataCite account.", {
  step: Type.Enum([...ACCOUNT_STEPS], {
    description:
      "`credentials`: DataCite accepts the account and its password. `domain`: DOIs of the account may lead to this service. `prefix`: the prefix belongs to the account. `create_draft`, `delete_draft`: a draft can be created, and was deleted.",
  }),
  status: Type.Enum(["ok", "failed", "skipped"], {
    description: "Result; `skipped` if an earlier step failed that this one needs.",
  }),
  problem: nullable(RegistrationProblemView, "Why the step failed, and the next step to correct it; null otherwise."),
});

const example = { ok: true, steps: ACCOUNT_STEPS.map((step) => ({ step, status: "ok" as const, problem: null })) };

/** Tests the account at DataCite. */
export const doiTest = operation({
  route: "POST /doi/test",
  operationId: "testDoiAccount",
  summary: "Test the DataCite account",
  description:
    "Tests whether the service can register DOIs: credentials, domains and prefix of the DataCite account. It creates a draft, which is not public, and deletes it. The service runs the same test when it starts. For admins.",
  tag: "Publication",
  problems: ["doi_off"],
  response: {
    200: documented(
      object("AccountTest", "The result of a test of the DataCite account.", {
        ok: flag("Whether no step failed."),
        steps: list(AccountStepView, "The steps, in order."),
      }),
      { description: "The test has run.", example },
    ),
  },
  handler: async (context, _request, reply) => {
    if (context.testAccount === undefined)
      throw new Problem("doi_off", "This service has no DataCite account, so that it registers no DOIs");
    const steps = await context.testAccount(goneSignal(reply));
    return { ok: steps.every(({ status }) => status === "ok"), steps };
  },
});
