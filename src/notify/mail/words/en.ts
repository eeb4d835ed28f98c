import { several } from "../../../domain/numbers.ts";

/** English texts of mails. */
export const en = {
  frame: {
    title: (title: string) => `Title: ${title}`,
    upload: (id: string) => `Upload: ${id}`,
    submission: (url: string) => `Submission: ${url}`,
    dataset: (url: string) => `Dataset: ${url}`,
    command: (command: string) => `On the command line: ${command}`,
    why: (reason: string) => `You receive this mail because ${reason}. Please do not reply: replies are not read.`,
  },
  reasons: {
    submitter: "the submission names your address",
    uploader: "you created the upload",
    owner: "your address was stated in the request for publication",
    curator: "you review datasets of this service",
    former_curator: "you reviewed this dataset",
    operator: "you operate this service",
    reader: "your address was stated in the request",
    digest: "you chose to receive one mail a day",
  },
  digest: {
    subject: (count: number) => `Daily summary: ${several(count, "event")}`,
  },
  submission: {
    accepted: "Accepted",
    acceptedText: "Your submission was accepted. The service can read the source and is archiving its objects.",
    acceptedNext:
      "You do not need to do anything now. You will receive another mail when the dataset is archived, or if action is required.",
    archived: "Archived",
    archivedText: (objects: number, bytes: string) =>
      `The dataset is archived: ${several(objects, "object")}, ${bytes}.`,
    mayDelete: (may: boolean, statement: string) =>
      `Can the source be deleted? ${may ? "Yes" : "No"}.${statement === "" ? "" : ` ${statement}`}`,
    receipt:
      "The signed receipt is attached. It states what was archived, how it was verified, and whether the source can be deleted. Keep the receipt. To check it, run “accession receipt verify”.",
    actionRequired: "Action required",
    failed: "Failed",
    until: (date: string) => `If the problem is not resolved by ${date}, the submission fails.`,
  },
  upload: {
    expires: (date: string) => `Your upload will be deleted on ${date}`,
    unused: (since: string, date: string) =>
      `Your upload was not submitted, and nothing has been sent to it since ${since}. On ${date} (UTC), the service deletes it with all its files.`,
    files: (files: number, bytes: string, received: string) =>
      `It has ${several(files, "file")} with ${bytes} together, ${received} of which have arrived.`,
    keep: "Action required by you if you need these files: send more of them, or submit the upload. On the page, open the form for a new submission, choose “Upload from this computer” and continue this upload: the form lists it. Or run the command below with your folder and your metadata. Both send only what is missing. Each byte that arrives postpones the deletion by two weeks.",
    page: (url: string) => `On the page: ${url}`,
    letExpire: "If you do not need the files, no action is required.",
  },
  /** Who must act. */
  responsible: {
    submitter: "Action required by you.",
    source: "Action required by the storage provider.",
    service: "The cause is an error in the service.",
    operator: "Action required by the operator of this service.",
  },
  noAction: "No further action is required.",
  next: {
    in_review:
      "Action required by a curator: check metadata and files. Then approve publication, request changes, or decline.",
    changes_requested:
      "Action required by you: make the changes, or answer the comment. Then request publication again.",
    approved: "Action required by you: publish the dataset when you want it to be public.",
  },
  review: {
    request: "Review this dataset",
    requested: (who: string) => `${who} requested publication.`,
    assignedTo: (curator: string) => `Review this dataset (assigned to ${curator})`,
    assigned: (who: string, curator: string) => `${who} assigned the review of this dataset to ${curator}.`,
    before: (former: string) => `Until then, it was assigned to ${former}.`,
    reassigned: "Review reassigned",
    unassignedSubject: "Review without a curator",
    unassigned: (who: string) => `${who} removed your assignment to the review of this dataset. Now it has no curator.`,
    unassignedOther: (who: string, former: string) =>
      `${who} removed the assignment of ${former} to the review of this dataset. Now it has no curator.`,
    comment: "Read the new comment",
    commented: (who: string) => `${who} commented:`,
    commentedOnFile: (who: string, file: string) => `${who} commented on the file ${file}:`,
    commentedOnField: (who: string, field: string) => `${who} commented on the field ${field}:`,
    canAnswer: "You can answer on the page of the dataset.",
    edit: "Metadata changed",
    edited: (who: string, revision: string) =>
      `${who} changed the metadata of this dataset during the review (revision ${revision}).`,
    compare: "The page of the dataset shows what was changed. An approval must name this revision.",
    change: "Change your dataset",
    changesRequested: (who: string) => `${who} requested changes:`,
    decline: "Publication declined",
    declined: (who: string) => `${who} declined publication:`,
    canRequestAgain: "The dataset stays archived. You can request publication again.",
    publish: "Publish your dataset",
    approved: (who: string) => `${who} approved publication.`,
    takeBack: "Request taken back",
    takenBack: (who: string) => `${who} took the request for publication back.`,
    isPrivate: "The dataset is private. No action is required.",
    published: "Published",
    publishedAs: (identifier: string) => `The dataset is published as ${identifier}`,
    nothingToDo: "No action is required.",
    withdraw: "Withdrawn",
    publicationWithdrawn: (who: string) => `${who} withdrew the publication. The archive keeps the files. Reason:`,
    datasetWithdrawn: (who: string) => `${who} withdrew the dataset. Its content is permanently deleted. Reason:`,
    reminders: {
      in_review: "Reminder to review this dataset",
      changes_requested: "Reminder to change your dataset",
      approved: "Reminder to publish your dataset",
    },
    waits: (date: string) => `The publication of this dataset has been waiting since ${date}.`,
  },
  doi: {
    registration: "Correct the registration",
    registrationDelayed: "The publication is delayed",
    reservation: "Correct the reservation of a DOI",
    reservationDelayed: (doi: string, since: string) =>
      `The reservation of the DOI ${doi} has been failing since ${since} (UTC)`,
  },
  access: {
    change: "Access changed",
    changed: (who: string) => `${who} changed the access to the files. The page of the dataset shows it.`,
    request: "Answer a request for access",
    requested: (who: string) =>
      `${who} asked for access to the files. The person and the reason are shown after sign-in.`,
    unknownPerson: "A person without an account",
    answer: "Action required by you: grant or refuse access on the page of the dataset.",
    reminder: "Reminder to answer requests for access",
    waiting: (number: string, since: string) =>
      `Open requests for access to the files: ${number}. The oldest one has been waiting since ${since}.`,
    granted: "Access granted",
    grantedText: "You asked for access to the files of a dataset. Access was granted.",
    refused: "Access refused",
    refusedText: "You asked for access to the files of a dataset. Access was refused.",
    kinds: {
      subject: "To download the files, open the page of the dataset and sign in with the account with which you asked.",
      email: "To download the files, open the page of the dataset and sign in with an account that has this address.",
      link: "The files open with a link, which the owner of the dataset or a curator sends to you.",
    },
  },
  embargo: {
    ends: (date: string) => `Embargo ends on ${date}`,
    opens: (date: string) => `The embargo ends. All people can download the files from ${date} on (00:00 UTC).`,
    canChange:
      "No action is required. To change the date, change the access on the page of the dataset, and state the reason.",
    ended: "Embargo ended",
    open: (date: string) => `The embargo ended. All people can download the files since ${date} (UTC).`,
  },
};

/** The texts of a language. */
export type MailTexts = typeof en;
