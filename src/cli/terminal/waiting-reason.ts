import type { Standstill, Submission } from "../../../packages/client/src/index.ts";
import { areaOf } from "../../domain/source-access/upload-place.ts";
import { selectedPart } from "../../domain/submission/selected-part.ts";
import type { Selection } from "../../domain/submission/selection.ts";
import { commandName } from "../api-command.ts";
import { moment } from "./numbers.ts";
import type { Output } from "./output.ts";
import { FAILED, NEXT, type Shown, show, styled, WARNING } from "./text.ts";

const RESPONSIBLE: Record<string, string> = {
  submitter: "Action required by you.",
  source: "Action required by the storage provider.",
  service: "Internal error of the service. Inform the operator.",
  operator: "Action required by the operator.",
};

/** Prints why a submission waits or ended, and the commands that help. Commands are not wrapped, so that they can be copied. */
export function printWaitingReason(output: Output, submission: Submission): void {
  for (const line of describeWaitingReason(submission)) output.say(line, { hang: 2 });
  const standstill = submission.waiting ?? submission.failure;
  if (standstill === null) return;
  for (const command of commandsFor(submission, standstill)) {
    output.say(show`  ${NEXT} ${commandName()} ${command}`);
  }
}

/** Describes why a submission waits or ended: what happened, who must act, and the next step. */
export function describeWaitingReason(submission: Submission): Shown[] {
  const { status, waiting, failure } = submission;
  const standstill = waiting ?? failure;
  if (standstill === null) return [];
  const { message, fault, until } = standstill;
  const mark = status === "waiting" ? WARNING : FAILED;
  const deadline = until === null ? "" : ` The submission waits until ${moment(until)}.`;
  return [
    show`${mark} ${styled("bold", status === "waiting" ? "Waiting:" : "Failed:")} ${message}`,
    show`  ${RESPONSIBLE[fault] ?? ""} ${actionFor(submission, standstill)}${deadline}`,
  ];
}

/** Problems whose next step is another one for uploads, because an upload cannot be changed. */
const OF_UPLOADS: Record<string, string> = {
  objects_unreadable:
    "Compare each file with the original, and correct the file or the list. Then cancel the submission and send the folder again, or exclude the files.",
  digest_files_missing:
    "Add the missing files to the folder, or correct the list. Then cancel the submission and send the folder again.",
  digest_list_unreadable:
    "Check that the folder has the list. Then cancel the submission and send the folder again. To ignore the manifests of a bag, use --no-digests.",
  digest_list_invalid:
    "Correct the list in the folder. Then cancel the submission and send the folder again. To ignore the manifests of a bag, use --no-digests.",
};
const ONLY_WHAT_HAS_CHANGED = "An upload cannot be changed, and only files that have changed are sent.";

/** The next step of the problem, or that of this source. */
function actionFor(submission: Submission, { code, action }: Standstill): string {
  const own = OF_UPLOADS[code];
  if (own === undefined || areaOf(submission.source) === undefined || retryHelps(submission, code)) return action;
  return `${own} ${ONLY_WHAT_HAS_CHANGED}`;
}

/** Whether the cause can be another one than the content of an upload and of the lists, which are the same after a retry. */
function retryHelps({ source, digests, progress }: Submission, code: string): boolean {
  if (areaOf(source) === undefined) return true;
  // Excluded files no longer count as failed.
  const differing = digests == null ? 0 : digests.differing - (digests.differingExcluded ?? 0);
  return code === "objects_unreadable" && progress.objectsFailed > differing;
}

function commandsFor(submission: Submission, { code }: Standstill): string[] {
  const { id, status } = submission;
  const again = areaOf(submission.source) === undefined ? [] : [`cancel ${id}`, sendingAgain(submission)];
  if (status === "failed" && again.length > 0) return OF_UPLOADS[code] === undefined ? [`retry ${id}`] : again;
  if (status === "failed") return [`retry ${id} --with-credentials`];
  if (code === "credentials_rejected") return [`credentials ${id}`];
  if (code === "source_changed") return [`watch ${id} --keep-waiting`, `cancel ${id}`];
  if (OF_UPLOADS[code] === undefined) return [`watch ${id} --keep-waiting`];
  const retry = retryHelps(submission, code) ? [`retry ${id}`] : [];
  if (code === "objects_unreadable") {
    const [show, exclude] = [`status ${id} --files --state unreadable`, `exclude ${id} --all-unreadable --reason "…"`];
    return [show, ...retry, ...again, exclude];
  }
  return again.length > 0 ? again : [...retry, `cancel ${id}`];
}

/** The command that sends the folder of a cancelled upload again, with its lists. It may need further options of the first one. */
export function sendingAgain({ target, digests }: Submission): string {
  const isVersion = target !== null && target.version > 1;
  const lists = digests == null ? [] : [...digests.lists, ...(digests.unread ?? [])];
  const has = (wanted: string) => lists.some(({ origin }) => origin === wanted);
  const options = [
    ...(isVersion ? [` --dataset ${target.id}`] : []),
    ...(has("request") ? [" --digests LIST"] : []),
    ...(has("source") ? [" --digests-key KEY"] : []),
  ];
  return `upload FOLDER --metadata FILE${options.join("")}`;
}

/** Names the part of the source that `sourceMayBeDeleted` refers to. */
export function describeDeletionScope(selection: Selection): string {
  return selectedPart(selection) === undefined ? "the source" : "the selected part of the source";
}
