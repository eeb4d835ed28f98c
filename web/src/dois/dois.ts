// Both are one chunk that is loaded on demand, because they share their texts.
export { DatasetDois } from "./DatasetDois.tsx";
export { DifferentDois } from "./DifferentDois.tsx";
