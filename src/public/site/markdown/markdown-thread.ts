/** A thread that renders texts of datasets, so that the thread that serves requests stays responsive; see text-renderer.ts. */
import { serveTasks } from "../../../platform/threads/task-thread.ts";
import { datasetMarkdown } from "./dataset-markdown.ts";
import type { RenderTask } from "./text-renderer.ts";

serveTasks<RenderTask, string | undefined>((task) => datasetMarkdown(task)?.text);
