import type { ProblemEntry } from "./entry.ts";

/** Problems of review, publication and the registration of DOIs. */
export const publicationProblems = {
  publication_off: {
    fault: "operator",
    status: 409,
    title: "This service does not publish datasets",
    action: "The dataset stays archived. To publish it, ask the operator to set ACCESSION_PUBLICATION.",
  },
  publication_state: {
    status: 409,
    title: "The action is not possible in the present state of the publication",
    action: "Choose one of the actions that the answer lists under “actions”.",
  },
  publication_conflict: {
    status: 412,
    title: "The publication or the metadata were changed in the meantime",
    action: "Load the publication again, check the change, and repeat your action.",
  },
  publication_not_ready: {
    status: 422,
    title: "The dataset is not ready for publication",
    action: "Correct what the answer lists under “checks” with the severity “error”. Then repeat the action.",
  },
  self_approval: {
    status: 403,
    title: "Another person must approve this dataset",
    action:
      "Ask another curator to approve it. The operator of this service can allow approvals of own datasets and edits (ACCESSION_SELF_APPROVAL).",
  },
  agreement_required: {
    status: 422,
    title: "The deposit agreement was not accepted",
    action: "Read the deposit agreement, and send the SHA-256 of the text that you accept in “agreement”.",
  },
  approved_metadata: {
    status: 409,
    title: "The metadata are approved for publication",
    action:
      "To change them, take the approval back, change them, and request publication again. After publication, metadata can be changed without a new approval.",
  },
  doi_off: {
    fault: "operator",
    status: 409,
    title: "This service registers no DOIs",
    action: "Submit the dataset without a DOI. To get DOIs, ask the operator to set up an account of DataCite.",
  },
  not_public: {
    status: 403,
    title: "The files are not public",
    action:
      "If the answer names a page under “requestAccess”, ask for access there, and state what you need the files for. Otherwise wait for the publication.",
  },
  embargoed: {
    status: 403,
    title: "The files are under embargo",
    action:
      "Download them after the end of the embargo, or ask for access. The answer names the page under “requestAccess”.",
  },
  publication_withdrawn: {
    fault: "operator",
    status: 410,
    title: "The version was withdrawn and is no longer public",
    action:
      "No action is required. The answer states the reason under “withdrawn”. The archive keeps the files for the owner and curators.",
    inStep: "fail",
  },
  not_published: {
    status: 409,
    title: "The version is not published",
    action:
      "Publish the version first. Only then can access to its files be granted, or the dataset be added to a collection.",
  },
  access_not_needed: {
    status: 409,
    title: "You can already read the files",
    action: "No request is needed. Download the files.",
  },
  access_answered: {
    status: 409,
    title: "The request for access was already answered",
    action: "Load the requests again. To change the decision, grant the access, or revoke the grant.",
  },
  access_limit: {
    status: 409,
    title: "The dataset has too many grants or open requests",
    action: "The owner or a curator must answer requests, or revoke grants that are no longer needed.",
  },
  reviewer_link_unknown: {
    status: 401,
    title: "The reviewer link is not valid",
    action: "Check that the address is complete, or ask the person who sent it to you for a new one.",
  },
  reviewer_link_expired: {
    status: 410,
    title: "The reviewer link has expired",
    action: "Ask the person who sent it to you for a new one.",
  },
  reviewer_link_revoked: {
    status: 410,
    title: "The reviewer link was revoked",
    action: "If you still need access, ask the person who sent it to you for a new one.",
  },
  reviewed_withdrawn: {
    status: 410,
    title: "The dataset was withdrawn",
    action: "Ask the person who sent you the link why.",
  },
  too_many_reviewer_links: {
    status: 409,
    title: "The limit of reviewer links of the dataset has been reached",
    action: "Revoke a reviewer link that is no longer needed.",
  },
  datacite_unreachable: {
    fault: "operator",
    title: "DataCite did not answer",
    action: "No action is required. The service tries again automatically. If it lasts, check ACCESSION_DATACITE_URL.",
    retryable: true,
  },
  datacite_busy: {
    fault: "operator",
    title: "DataCite asks for fewer requests",
    action: "No action is required. The service pauses and then continues automatically.",
    retryable: true,
  },
  datacite_credentials: {
    fault: "operator",
    title: "DataCite does not accept the account or its password",
    action: "Correct ACCESSION_DATACITE_REPOSITORY and ACCESSION_DATACITE_PASSWORD_FILE, and restart the service.",
  },
  datacite_forbidden: {
    fault: "operator",
    title: "The DataCite account may not register this DOI",
    action: "Check ACCESSION_DATACITE_PREFIX: the prefix must belong to the account.",
  },
  datacite_domain: {
    fault: "operator",
    title: "The DataCite account may not register DOIs for this domain",
    action: "Add the domain of ACCESSION_PUBLIC_URL to the domains of the account (DataCite Fabrica, Settings).",
  },
  datacite_draft_left: {
    fault: "operator",
    title: "The draft of a test was not deleted at DataCite",
    action:
      "No action is required: the service deletes it later. Drafts are not public. If it lasts, delete the draft in DataCite Fabrica.",
    retryable: true,
  },
  datacite_rejected: {
    title: "DataCite rejected the metadata",
    action:
      "Correct the metadata that the message names. If the dataset is not published yet, take the publication back before, and request publication again afterwards.",
  },
  datacite_schema: {
    title: "The metadata do not conform to DataCite’s schema",
    action:
      "Correct the metadata that the message names. If the dataset is not published yet, take the publication back before, and request publication again afterwards. If the message names the publisher, sizes or formats, ask the operator.",
  },
  datacite_event_ignored: {
    fault: "operator",
    title: "DataCite did not make the DOI findable",
    action: "The service tries again automatically. If it lasts, ask DataCite’s support about the DOI.",
    retryable: true,
  },
  doi_not_registered: {
    fault: "operator",
    title: "The DOI does not resolve yet",
    action: "The service checks again automatically. If it lasts for a day, ask DataCite’s support about the DOI.",
    retryable: true,
  },
  doi_elsewhere: {
    fault: "operator",
    title: "The DOI leads to another address",
    action: "The service sends the address again. If it lasts, another program changes the DOI with the same account.",
    retryable: true,
  },
  doi_taken: {
    fault: "operator",
    title: "The DOI belongs to another dataset",
    action: "No action is required. The service chooses another DOI.",
    retryable: true,
  },
} as const satisfies Record<string, ProblemEntry>;
