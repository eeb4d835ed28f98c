/** Schemas of request and response bodies, for types, validation and the OpenAPI document. */
export * from "./schemas/basics.ts";
export * from "./schemas/dataset.ts";
export * from "./schemas/description.ts";
export * from "./schemas/event.ts";
export * from "./schemas/notice.ts";
export * from "./schemas/problem.ts";
export * from "./schemas/submission.ts";
