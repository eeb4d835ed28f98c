import { Type } from "typebox";

/** The member `dataset` of submissions and previews. */
export const DatasetReference = Type.Object(
  { id: Type.String({ description: "Id of the dataset." }) },
  {
    title: "DatasetReference",
    additionalProperties: false,
    description: "The dataset to which the submission adds a version. Default: the submission creates a new dataset.",
  },
);
