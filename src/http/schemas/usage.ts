import { Type } from "typebox";
import { count, list, nullable, object, text, textOrNull, uuid } from "./basics.ts";

const UsageCounts = object("UsageCounts", "Metrics of COUNTER for datasets; see docs/usage-statistics.md.", {
  totalInvestigations: count("`Total_Dataset_Investigations`: uses of content and of information about it."),
  uniqueInvestigations: count("`Unique_Dataset_Investigations`: sessions with an investigation."),
  totalRequests: count("`Total_Dataset_Requests`: downloads of files and packages."),
  uniqueRequests: count("`Unique_Dataset_Requests`: sessions with a request."),
});

const counts = {
  regular: UsageCounts,
  machine: UsageCounts,
};
const METHODS = "`regular`: by people with a browser. `machine`: by programs, such as scripts.";

export const UsageSum = object("UsageSum", METHODS, counts);

export const MonthUsage = object("MonthUsage", `Use in one month. ${METHODS}`, {
  month: text("`YYYY-MM`, UTC."),
  ...counts,
});

export const DatasetUsage = object("DatasetUsage", "Use of a published dataset.", {
  id: uuid("Id of the dataset."),
  version: nullable(Type.Integer(), "Number of the version that `version` names; null for all versions."),
  total: UsageSum,
  months: list(MonthUsage, "Months with use, oldest first."),
});

export const CatalogueUsage = object("CatalogueUsage", "Use of all published datasets.", {
  from: text("First month."),
  until: text("Last month."),
  total: UsageSum,
  months: list(MonthUsage, "Use of all datasets in months with use, oldest first."),
  datasets: list(
    object("UsedDataset", `Use of one dataset in all these months. ${METHODS}`, {
      id: uuid("Id of the dataset."),
      url: text("Landing page."),
      title: textOrNull("Title of the newest published version; null if it was withdrawn."),
      ...counts,
    }),
    "A page of the datasets with use, in the order of their ids.",
  ),
});
