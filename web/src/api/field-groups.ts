import { type components, orThrow } from "@accession/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { useService } from "./service.ts";

type Sent = components["schemas"];

/** What a value of a field may be, see `GET /field-groups`. */
export interface FieldValue
  extends Pick<
    Sent["Field"],
    "type" | "choices" | "format" | "maxLength" | "pattern" | "minimum" | "maximum" | "unit"
  > {
  items?: FieldValue;
  fields?: Field[];
}

type Described = Omit<Sent["FieldGroup"], "fields">;

/** A metadata field that the operator has defined. */
export interface Field extends FieldValue, Described {}

/** A group of such fields. */
export interface FieldGroup extends Described {
  fields: Field[];
}

/** The groups of fields that the operator has defined. They do not change while the page is open. */
const fieldGroupsQuery = queryOptions({
  queryKey: ["service", "field-groups"],
  queryFn: async ({ signal }) =>
    orThrow(await api.GET("/field-groups", { signal: untilAnswered(signal) })) as FieldGroup[],
  staleTime: Number.POSITIVE_INFINITY,
});

/** The groups of fields that have values in a version, as they were defined when it was archived. */
export function fieldGroupsOfDatasetQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, "field-groups", version],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { version } };
      const answer = await api.GET("/dataset/{id}/field-groups", { params, signal: untilAnswered(signal) });
      return orThrow(answer) as FieldGroup[];
    },
  });
}

/** The groups of fields that the operator has defined; undefined until they are known. Without groups, no request is sent. */
export function useFieldGroups(): readonly FieldGroup[] | undefined {
  const service = useService();
  const hasGroups = (service?.fieldGroups.length ?? 0) > 0;
  const { data } = useQuery({ ...fieldGroupsQuery, enabled: hasGroups });
  return service !== undefined && !hasGroups ? NONE : data;
}

const NONE: readonly FieldGroup[] = [];
