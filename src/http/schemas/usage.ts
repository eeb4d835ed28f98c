import { Type } from "typebox";
import { count, nullable } from "./basics.ts";

const UsageCounts = Type.Object(
  {
    totalInvestigations: count("`Total_Dataset_Investigations`: uses of content and of information about it."),
    uniqueInvestigations: count("`Unique_Dataset_Investigations`: sessions with an investigation."),
    totalRequests: count("`Total_Dataset_Requests`: downloads of files and packages."),
    uniqueRequests: count("`Unique_Dataset_Requests`: sessions with a request."),
  },
  { title: "UsageCounts", description: "Metrics of COUNTER for datasets; see docs/usage-statistics.md." },
);

const counts = {
  regular: UsageCounts,
  machine: UsageCounts,
};
const METHODS = "`regular`: by people with a browser. `machine`: by programs, such as scripts.";

export const UsageSum = Type.Object(counts, { title: "UsageSum", description: METHODS });

export const MonthUsage = Type.Object(
  { month: Type.String({ description: "`YYYY-MM`, UTC." }), ...counts },
  { title: "MonthUsage", description: `Use in one month. ${METHODS}` },
);

export const DatasetUsage = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: nullable(Type.Integer(), "Number of the version that `version` names; null for all versions."),
    total: UsageSum,
    months: Type.Array(MonthUsage, { description: "Months with use, oldest first." }),
  },
  { title: "DatasetUsage", description: "Use of a published dataset." },
);

export const CatalogueUsage = Type.Object(
  {
    from: Type.String({ description: "First month." }),
    until: Type.String({ description: "Last month." }),
    total: UsageSum,
    months: Type.Array(MonthUsage, { description: "Use of all datasets in months with use, oldest first." }),
    datasets: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: "uuid", description: "Id of the dataset." }),
          url: Type.String({ description: "Landing page." }),
          title: nullable(Type.String(), "Title of the newest published version; null if it was withdrawn."),
          ...counts,
        },
        { title: "UsedDataset", description: `Use of one dataset in all these months. ${METHODS}` },
      ),
      { description: "A page of the datasets with use, in the order of their ids." },
    ),
  },
  { title: "CatalogueUsage", description: "Use of all published datasets." },
);
