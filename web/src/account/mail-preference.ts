import { type components, orThrow } from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "../api/client.ts";
import { queries } from "../api/queries.ts";

export type MailPreference = components["schemas"]["MailPreference"];
export type MailChoice = components["schemas"]["MailChoice"];

/** The choice of the user about e-mail, and where e-mail goes. */
export const mailPreferenceQuery = queryOptions({
  queryKey: ["caller", "mail"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/account/mail", { signal: untilAnswered(signal) })),
});

/** Replaces the choice. */
export function useSaveMailPreference() {
  return useMutation({
    mutationFn: async (body: MailChoice) => orThrow(await api.PUT("/account/mail", { body })),
    onSuccess: (saved) => queries.setQueryData(mailPreferenceQuery.queryKey, saved),
  });
}
