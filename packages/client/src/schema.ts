/* Written by clients/generate.ts from the API's description. Do not edit. */

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys of receipts
         * @description Retired ones, too: a receipt is signed with the one that its `kid` names.
         */
        get: operations["jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/caller": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say who the caller is
         * @description As whom the token lets its holder in. Without sign-in everybody is `local`, and may do everything.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List datasets
         * @description Those that the caller may see, newest first, described by their latest version. Withdrawn datasets are listed too and say so in `withdrawn`. Entries have a bounded size; a page can hold fewer than `limit` of them.
         */
        get: operations["listDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a dataset
         * @description `Accept` may name a media type of the descriptions of `/dataset/{id}/export/{format}`; where it names none that is known the answer is JSON. Browsers are led to the page of the dataset. `Link` has the relations of FAIR Signposting.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/download-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link for one download
         * @description For pages: a browser saves large files from an address alone, and an address must not hold a token. The link works once, within a minute and as long as the caller’s token is valid, for this one thing, in the name of the caller.
         */
        post: operations["createDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/export/{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a dataset
         * @description `ro-crate` and `bagit` are ZIPs of all files, made as they are sent; the others describe the dataset. `GET /dataset/{id}` answers the descriptions, too, by `Accept`.
         */
        get: operations["exportDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a dataset
         * @description Those that Accession has made, then the objects. As `text/csv` all of them are sent, unless a `limit` is given. A page of very long names has fewer entries than `limit`.
         */
        get: operations["listDatasetFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file or a folder
         * @description The path is that of the list of files, each part percent-encoded. A file honours `Range`, `If-Range`, `If-Match` and `If-None-Match`; `Repr-Digest` has the SHA-512 of the whole. A folder is a ZIP, in which files have their whole paths. Bytes that are not those of their digest break the answer off.
         */
        get: operations["getDatasetFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/linkset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links of a dataset
         * @description A linkset (RFC 9264) with the relations of FAIR Signposting, every file among them as an `item`.
         */
        get: operations["getLinkset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a dataset
         * @description Newest first; each came of one submission.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a dataset
         * @description For admins. From the answer on the dataset is answered with 410 and its tombstone; `removedAt` tells when its bytes were gone. Repeating it changes nothing.
         */
        post: operations["withdrawDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/{ticket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch what a download link leads to
         * @description Once, within a minute of its making. Nobody signs in: the link says in whose name.
         */
        get: operations["downloadOnce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether the process answers
         * @description Where it does not, start it again.
         */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether it can work
         * @description 503 while it starts, stops, or has lost its database.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description It names no owner, title, bucket or endpoint.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch this description
         * @description The page at `/docs` shows the same for people.
         */
        get: operations["getDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what this service is
         * @description What a page has to know before anybody has signed in: the version, how to sign in, what is offered.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List submissions
         * @description Those that the caller may see, newest first unless sorted otherwise. Entries have a bounded size; a page can hold fewer than `limit` of them.
         */
        get: operations["listSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a submission
         * @description Never with a key or a secret.
         */
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a submission
         * @description What was stored is removed. It cannot be undone.
         */
        post: operations["cancelSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the bucket’s credentials
         * @description They are checked first. Endpoint and bucket stay as they are.
         */
        post: operations["replaceCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow the log of a submission
         * @description As `text/event-stream` it goes on live and honours `Last-Event-ID`; between the events it sends the submission’s progress as events named `progress`, which have no id.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/exclude": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave unreadable objects out
         * @description Of a submission that waits with `objects_unreadable`: when nothing is left to decide it goes on.
         */
        post: operations["excludeObjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a submission
         * @description In the order of the listing. As `text/csv` all of them are sent, unless a `limit` is given. A page of very long names has fewer entries than `limit`.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the receipt
         * @description A compact JWS (EdDSA); its keys are at `/.well-known/jwks.json`.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a new attempt
         * @description A failed submission needs `s3Access`, because its credentials were erased.
         */
        post: operations["retrySubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/info/exists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether there is a submission of this title
         * @description Of the caller’s own. Front ends ask before somebody submits the same twice.
         */
        get: operations["exists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/s3check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a bucket can be reached
         * @description In one sentence; as a JSON string where `Accept` ranks JSON above text. Every error of this operation is such a sentence, too.
         */
        post: operations["test_connection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/s3check/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say step by step whether a bucket can be reached
         * @description Wrong fields and buckets that cannot be reached are answered with a report, too: look at `ok`. As `text/event-stream` each step is told of when it is known, as an event named `step`, and at the end the report, as one named `report`.
         */
        post: operations["checkReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/s3preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count what a submission would take in
         * @description Nothing of the bucket is kept. It takes 10 seconds at most. With `dataset` the answer also says what differs from its latest version.
         */
        post: operations["preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/s3upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a bucket
         * @description Metadata are validated and the bucket is checked; the submission survives a power loss before the answer is sent. The service stores nothing from a refused request. A request without an Idempotency-Key that is identical to an earlier one of the same owner (metadata, bucket, credentials, selection, dataset, e-mail address) is answered with the submission of that one, while it is open or if it was accepted in the last ten minutes, unless it failed, was cancelled or its dataset was withdrawn. `Accession-Repeat: true` submits again. If the client disconnects after sending the whole request, the submission still proceeds. A form has each member as a part that holds one JSON text; `s3access` is taken for `s3Access`.
         */
        post: operations["uploadS3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check metadata
         * @description The body is the metadata itself, or an object that holds it as `metadata`.
         */
        post: operations["validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description Newest first, expired ones too. No token can be read from this.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a token
         * @description Give the token to its holder; the service keeps a digest of it alone.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description From the answer on it lets nobody in.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The caller’s own, newest first; admins see everybody’s.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description It is told what happens to submissions, signed by the Standard Webhooks specification; see docs/webhooks.md.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a webhook
         * @description Without the secrets that it signs with.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description With its keys and deliveries. It cannot be undone.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Choose the events of a webhook
         * @description Applies to new events. Omitted members do not change.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhook/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Those of the last 30 days, and what is still to be delivered.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Under the same id, and tried for another day.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook that was disabled
         * @description What was given up can be replayed; of what happened while it was disabled there are no deliveries.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook new keys
         * @description For a day deliveries are signed with the old keys, too. A key that others know is gone with its webhook at once.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Sends an event of type `webhook.test`, signed like any other, whatever events the webhook subscribes to. It is sent once; the list of deliveries shows the endpoint’s answer.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    submissionEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something happened to a submission
         * @description Sent to a webhook’s `url` by POST, at least once and for each submission in order; see docs/webhooks.md. Any 2xx within 15 s accepts it, 410 disables the webhook, and whatever else is tried again for a day.
         */
        post: operations["submissionEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    webhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test delivery
         * @description Sent once to a webhook’s `url` by POST after `POST /webhook/{id}/test`, and signed like other deliveries.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** AcceptedEvent */
        AcceptedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            /** @description The version that is to be; null for a new dataset. */
            data: components["schemas"]["VersionData"] | null;
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "accepted";
        };
        /**
         * Audit
         * @description A look at whether an archived dataset is as it should be.
         */
        Audit: {
            /**
             * Format: date-time
             * @description When the archived bytes were last read again.
             */
            at: string;
            /** @description How many were read. */
            bytes: number;
            /** @description How many were read. */
            files: number;
            /** @description The first 100 things that were wrong. */
            findings: components["schemas"]["Finding"][];
            /** @description Whether everything was as it should be. */
            ok: boolean;
        };
        /**
         * AuditData
         * @description How much was read again.
         */
        AuditData: {
            /** @description How many were read. */
            bytes: number;
            /** @description How many were read. */
            files: number;
        };
        /** AuditFailedEvent */
        AuditFailedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["DamageData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "audit_failed";
        };
        /** AuditPassedEvent */
        AuditPassedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["AuditData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "audit_passed";
        };
        /**
         * Author
         * @description Somebody who made or contributed to the dataset.
         */
        Author: {
            /**
             * @description Postal address. Like all postal data it never reaches the package’s metadata.
             * @example 1 Prospect Street
             */
            address?: string;
            /**
             * @description Name of the institution.
             * @example Brown University
             */
            affiliation?: string;
            /**
             * @description City.
             * @example Providence
             */
            city?: string;
            /**
             * @description ISO 3166 code or English name.
             * @example US
             */
            country?: string;
            /**
             * @description Given names.
             * @example Josiah
             */
            firstName?: string;
            /**
             * @description Family name.
             * @example Carberry
             */
            lastName?: string;
            /**
             * @description ORCID iD, bare or as a URL.
             * @example 0000-0002-1825-0097
             */
            orcid?: string;
            /**
             * @description `Creator`, `Contributor` or a contributor type of DataCite; at least one author is a Creator.
             * @example Creator
             * @example Contributor
             * @example ContactPerson
             * @example DataCollector
             * @example DataCurator
             * @example DataManager
             * @example Distributor
             * @example Editor
             * @example HostingInstitution
             * @example Producer
             * @example ProjectLeader
             * @example ProjectManager
             * @example ProjectMember
             * @example RegistrationAgency
             * @example RegistrationAuthority
             * @example RelatedPerson
             * @example Researcher
             * @example ResearchGroup
             * @example RightsHolder
             * @example Sponsor
             * @example Supervisor
             * @example Translator
             * @example WorkPackageLeader
             * @example Other
             */
            role?: string;
            /**
             * @description ROR id of the institution, bare or as a URL.
             * @example https://ror.org/05gq02987
             */
            rorid?: string;
            /**
             * @description Postal code.
             * @example 02912
             */
            zipCode?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * AuthorSummary
         * @description An author in a list.
         */
        AuthorSummary: {
            /**
             * @description Given names.
             * @example Josiah
             */
            firstName?: string;
            /**
             * @description Family name.
             * @example Carberry
             */
            lastName?: string;
            /**
             * @description ORCID iD, bare or as a URL.
             * @example 0000-0002-1825-0097
             */
            orcid?: string;
            /**
             * @description `Creator`, `Contributor` or a contributor type of DataCite; at least one author is a Creator.
             * @example Creator
             * @example Contributor
             * @example ContactPerson
             * @example DataCollector
             * @example DataCurator
             * @example DataManager
             * @example Distributor
             * @example Editor
             * @example HostingInstitution
             * @example Producer
             * @example ProjectLeader
             * @example ProjectManager
             * @example ProjectMember
             * @example RegistrationAgency
             * @example RegistrationAuthority
             * @example RelatedPerson
             * @example Researcher
             * @example ResearchGroup
             * @example RightsHolder
             * @example Sponsor
             * @example Supervisor
             * @example Translator
             * @example WorkPackageLeader
             * @example Other
             */
            role?: string;
        };
        /**
         * Caller
         * @description Who the caller is to the service.
         */
        Caller: {
            /** @description In whose name the caller submits. */
            owner: string;
            /** @description What any of them may do, the caller may. */
            roles: ("submitter" | "curator" | "admin")[];
        };
        /**
         * CheckRequest
         * @description Where the bucket is and with what credentials it can be read.
         */
        CheckRequest: {
            /**
             * @description Access key id.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description True for a bucket that is open to everyone: no keys. */
            anonymous?: boolean;
            /**
             * @description The bucket’s bare name, 3 to 63 characters.
             * @example barley-roots
             */
            bucket: string;
            /**
             * @description Address of the S3 server; without a scheme it means https.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description True for host/bucket, false for bucket.host; without it, what suits the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region; without it, it is found out from the server.
             * @example eu-central-1
             */
            region?: string;
            /** @description Secret access key. It is encrypted while needed and then erased. */
            secretKey?: string;
            selection?: components["schemas"]["Selection"];
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * CloudEvent
         * @description A CloudEvent 1.0 in structured mode.
         */
        CloudEvent: {
            data: components["schemas"]["NoticeData"];
            /** @constant */
            datacontenttype: "application/json";
            /** @description The submission, and the number of the event in its log. */
            id: string;
            /**
             * Format: uri
             * @description This service.
             */
            source: string;
            /** @constant */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description The submission.
             */
            subject: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            time: string;
            type: components["schemas"]["NoticeType"];
        };
        /**
         * CompletedData
         * @description What was archived, and whether the source may be deleted.
         */
        CompletedData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /**
             * @description What the receipt says. Not there in older logs.
             * @enum {unknown}
             */
            sourceMayBeDeleted?: "yes" | "no";
            /** @description The sentence that says why, and of what. */
            statement?: string;
            /** @description Which of its versions. */
            version: number;
        };
        /** CompletedEvent */
        CompletedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["CompletedData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "completed";
        };
        /**
         * CountData
         * @description How much it is.
         */
        CountData: {
            /** @description Their bytes. */
            bytes: number;
            /** @description How many objects. */
            objects: number;
        };
        /** CountedEvent */
        CountedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["CountData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "listed" | "transferred";
        };
        /**
         * CslDate
         * @description A day in CSL-JSON.
         */
        CslDate: {
            /** @description Year, month and day. */
            "date-parts": number[][];
        };
        /**
         * CslItem
         * @description A version of a dataset as an item of CSL-JSON.
         */
        CslItem: {
            /** @description The description. */
            abstract: string;
            /** @description Authors with the role Creator. */
            author: components["schemas"]["CslName"][];
            /** @description All other authors. */
            contributor?: components["schemas"]["CslName"][];
            /** @description The address of the version. */
            id: string;
            issued: components["schemas"]["CslDate"];
            /** @description Keywords, separated by commas. */
            keyword?: string;
            /** @description Of the data. */
            language?: string;
            /** @description Address of the licence, or its name. */
            license: string;
            /** @description Name of the organisation. */
            publisher: string;
            /** @description As it was sent. */
            title: string;
            /**
             * @description Always this.
             * @constant
             */
            type: "dataset";
            /** @description The address of the version. */
            URL: string;
            /** @description Its number. */
            version: string;
        };
        /**
         * CslName
         * @description A name in CSL-JSON.
         */
        CslName: {
            /** @description Whether a comma precedes the suffix. */
            "comma-suffix"?: boolean;
            /** @description Family name. */
            family?: string;
            /** @description Given names. */
            given?: string;
            /** @description The whole name, of an organisation. */
            literal?: string;
            /** @description Such as “Jr.”. */
            suffix?: string;
        };
        /**
         * DamageData
         * @description What is wrong with the archived bytes.
         */
        DamageData: {
            /** @description How many things are wrong. */
            count: number;
            /** @description The first 20. */
            findings: components["schemas"]["Finding"][];
        };
        /**
         * DataciteAffiliation
         * @description Where a person works.
         */
        DataciteAffiliation: {
            /** @description Its ROR id, as a URL. */
            affiliationIdentifier?: string;
            /**
             * @description Always this.
             * @constant
             */
            affiliationIdentifierScheme?: "ROR";
            /** @description Of the organisation. */
            name: string;
            /** @description Where the scheme is described. */
            schemeUri?: string;
        };
        /**
         * DataciteAlternateIdentifier
         * @description The address of the version.
         */
        DataciteAlternateIdentifier: {
            /** @description The address. */
            alternateIdentifier: string;
            /**
             * @description Always this.
             * @constant
             */
            alternateIdentifierType: "URL";
        };
        /**
         * DataciteDate
         * @description A day in the life of the version.
         */
        DataciteDate: {
            /** @description `YYYY-MM-DD`. */
            date: string;
            /**
             * @description Available is the end of an embargo.
             * @enum {unknown}
             */
            dateType: "Submitted" | "Available";
        };
        /**
         * DataciteDescription
         * @description A description.
         */
        DataciteDescription: {
            /** @description As it was sent. */
            description: string;
            /**
             * @description Always this.
             * @constant
             */
            descriptionType: "Abstract";
        };
        /**
         * DataciteIdentifier
         * @description The dataset’s identifier.
         */
        DataciteIdentifier: {
            /** @description `urn:uuid:` and the dataset’s id. All versions share it. */
            identifier: string;
            /**
             * @description Always this.
             * @constant
             */
            identifierType: "URN";
        };
        /**
         * DataciteName
         * @description A person or an organisation in a DataCite record.
         */
        DataciteName: {
            /** @description Of a person. */
            affiliation: components["schemas"]["DataciteAffiliation"][];
            /** @description The role of a contributor. */
            contributorType?: string;
            /** @description Family name of a person. */
            familyName?: string;
            /** @description Given names of a person. */
            givenName?: string;
            /** @description Of a person “Family, Given”. */
            name: string;
            /** @description Its ids. */
            nameIdentifiers: components["schemas"]["DataciteNameIdentifier"][];
            /**
             * @description Absent where it is not known.
             * @enum {unknown}
             */
            nameType?: "Personal" | "Organizational";
        };
        /**
         * DataciteNameIdentifier
         * @description Who a person or an organisation is.
         */
        DataciteNameIdentifier: {
            /** @description The id, as a URL. */
            nameIdentifier: string;
            /**
             * @description Of a person, or of an organisation.
             * @enum {unknown}
             */
            nameIdentifierScheme: "ORCID" | "ROR";
            /** @description Where the scheme is described. */
            schemeUri: string;
        };
        /**
         * DatacitePublisher
         * @description Who publishes the dataset.
         */
        DatacitePublisher: {
            /** @description Of the organisation. */
            name: string;
            /** @description Its ROR id, as a URL. */
            publisherIdentifier?: string;
            /**
             * @description Always this.
             * @constant
             */
            publisherIdentifierScheme?: "ROR";
            /** @description Where the scheme is described. */
            schemeUri?: string;
        };
        /**
         * DataciteRecord
         * @description A version of a dataset as DataCite 4.7 describes it.
         */
        DataciteRecord: {
            /** @description One. */
            alternateIdentifiers: components["schemas"]["DataciteAlternateIdentifier"][];
            /** @description All other authors. */
            contributors: components["schemas"]["DataciteName"][];
            /** @description Authors with the role Creator. */
            creators: components["schemas"]["DataciteName"][];
            /** @description When it was submitted, and when it is available. */
            dates: components["schemas"]["DataciteDate"][];
            /** @description One. */
            descriptions: components["schemas"]["DataciteDescription"][];
            /** @description Media types of the files, at most 50. */
            formats: string[];
            /** @description One. */
            identifiers: components["schemas"]["DataciteIdentifier"][];
            /** @description Of the data. */
            language?: string;
            /** @description Of an embargoed dataset the year in which the embargo ends. */
            publicationYear: string;
            publisher: components["schemas"]["DatacitePublisher"];
            /** @description The dataset as a whole, and the versions before and after. */
            relatedIdentifiers: components["schemas"]["DataciteRelatedIdentifier"][];
            /** @description One. */
            rightsList: components["schemas"]["DataciteRights"][];
            /**
             * @description Always this.
             * @constant
             */
            schemaVersion: "http://datacite.org/schema/kernel-4";
            /** @description Number of files, and bytes. */
            sizes: string[];
            /** @description Keywords. */
            subjects: components["schemas"]["DataciteSubject"][];
            /** @description One. */
            titles: components["schemas"]["DataciteTitle"][];
            types: components["schemas"]["DataciteTypes"];
            /** @description Its number. */
            version: string;
        };
        /**
         * DataciteRelatedIdentifier
         * @description The dataset as a whole, or another version.
         */
        DataciteRelatedIdentifier: {
            /** @description Its address. */
            relatedIdentifier: string;
            /**
             * @description Always this.
             * @constant
             */
            relatedIdentifierType: "URL";
            /**
             * @description How this version is related to it.
             * @enum {unknown}
             */
            relationType: "IsVersionOf" | "IsNewVersionOf" | "IsPreviousVersionOf";
            /**
             * @description Always this.
             * @constant
             */
            resourceTypeGeneral: "Dataset";
        };
        /**
         * DataciteRights
         * @description The licence.
         */
        DataciteRights: {
            /** @description Its name. */
            rights: string;
            /** @description Its SPDX id, or an expression of ids. */
            rightsIdentifier?: string;
            /**
             * @description Always this.
             * @constant
             */
            rightsIdentifierScheme?: "SPDX";
            /** @description Its address. */
            rightsUri?: string;
            /** @description Where the scheme is described. */
            schemeUri?: string;
        };
        /**
         * DataciteSubject
         * @description A keyword.
         */
        DataciteSubject: {
            /** @description As it was sent. */
            subject: string;
        };
        /**
         * DataciteTitle
         * @description A title.
         */
        DataciteTitle: {
            /** @description As it was sent. */
            title: string;
        };
        /**
         * DataciteTypes
         * @description What kind of resource it is.
         */
        DataciteTypes: {
            /**
             * @description Always this.
             * @constant
             */
            resourceType: "Dataset";
            /**
             * @description Always this.
             * @constant
             */
            resourceTypeGeneral: "Dataset";
        };
        /**
         * Dataset
         * @description An archived dataset.
         */
        Dataset: {
            /** @description The last audit; null before the first. */
            audit: components["schemas"]["Audit"] | null;
            /**
             * Format: date-time
             * @description When its first version was archived.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description `urn:uuid:` and the id. */
            identifier: string;
            /** @description Of the version that was asked for. */
            title: string;
            /** @description The one that was asked for; the latest one where none was. */
            version: number;
            /** @description Newest first. */
            versions: components["schemas"]["Version"][];
        };
        /**
         * DatasetEntry
         * @description A dataset in a list, described by its latest version. Its size is bounded.
         */
        DatasetEntry: {
            /** @description Bytes of these objects. */
            bytes: number;
            /**
             * Format: date-time
             * @description When the first version was archived.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description `urn:uuid:` and the id. */
            identifier: string;
            /** @description Paths: `self` and `submission`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["MetadataSummary"];
            /** @description Objects in the latest version. */
            objects: number;
            /** @description For whom it was submitted. */
            owner: string;
            /**
             * Format: date-time
             * @description When the latest version was archived.
             */
            publishedAt: string;
            /** @description Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis. */
            shortened: boolean;
            /**
             * Format: uuid
             * @description The submission that created the latest version.
             */
            submission: string;
            /** @description Of the latest version, at most 300 characters of it. */
            title: string;
            /**
             * Format: date-time
             * @description When a version was last archived, or the dataset withdrawn.
             */
            updatedAt: string;
            /** @description Number of the latest version. */
            version: number;
            /** @description Set when the dataset was withdrawn: then its files are no longer available. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * DatasetFile
         * @description A file of an archived dataset.
         */
        DatasetFile: {
            /** @description Its size. */
            bytes: number;
            /** @description As the source named it. */
            contentType: string | null;
            /** @description As the source named it, ISO 8601. */
            lastModified: string | null;
            /** @description Logical path in the dataset. */
            path: string;
            /** @description In lower-case hex. */
            sha512: string;
            /** @description How it was checked against the source; null for what Accession made. */
            verifiedBy: components["schemas"]["VerifiedBy"] | null;
            /** @description Its algorithm. */
            verifiedWith: string | null;
        };
        /**
         * DatasetReference
         * @description Makes the submission the next version of a dataset; without it, it becomes a new one.
         */
        DatasetReference: {
            /** @description Id of that dataset, as its submission or `GET /dataset/{id}` names it. */
            id: string;
        };
        /**
         * DatasetVersion
         * @description A version of a dataset.
         */
        DatasetVersion: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Which of its versions. */
            version: number;
        };
        /**
         * Delivery
         * @description What a webhook was sent, or is to be sent, about one event.
         */
        Delivery: {
            answer: number | null;
            attemptedAt: string | null;
            /** @description How often it was tried. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the event happened, or the webhook of its submission was registered.
             */
            createdAt: string;
            /** @description Why the last attempt failed. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Null for a test delivery. */
            event: number | null;
            /**
             * Format: uuid
             * @description As in `webhook-id`, the same at each attempt.
             */
            id: string;
            nextAttemptAt: string | null;
            /**
             * @description Still to be accepted, accepted, or given up after a day.
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "given_up";
            /** @description Null for a test delivery. */
            submission: string | null;
            /** @description The type of the event, or `test`. */
            type: components["schemas"]["EventType"] | "test";
        };
        /**
         * DeliveryError
         * @description Why a delivery was not accepted.
         */
        DeliveryError: {
            code: components["schemas"]["ProblemCode"];
            /** @description For people. */
            message: string;
        };
        /**
         * Description
         * @description The API, described.
         */
        Description: {
            /** @description The version of OpenAPI. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * DownloadLink
         * @description An address that works once.
         */
        DownloadLink: {
            /**
             * Format: date-time
             * @description Until when it has to be begun.
             */
            expiresAt: string;
            /** @description Where to fetch it from, once. */
            url: string;
        };
        /**
         * DownloadLinkRequest
         * @description What the link is for: a `path` or a `format`.
         */
        DownloadLinkRequest: {
            /**
             * @description All of it, packed.
             * @enum {unknown}
             */
            format?: "ro-crate" | "bagit";
            /** @description Of a file or a folder, not encoded. */
            path?: string;
        };
        /**
         * Drift
         * @description How the bucket differs from what was archived.
         */
        Drift: {
            /**
             * @description What happened to it after it was read.
             * @enum {unknown}
             */
            change: "changed" | "vanished" | "appeared";
            /** @description In the bucket. */
            key: string;
        };
        /**
         * DriftData
         * @description What changed in the bucket meanwhile.
         */
        DriftData: {
            /** @description The first 20. */
            changes: components["schemas"]["Drift"][];
        };
        /** DriftEvent */
        DriftEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["DriftData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "drift";
        };
        /**
         * Event
         * @description An entry of a submission’s log; what `data` says to programs follows from `type`.
         */
        Event: components["schemas"]["AcceptedEvent"] | components["schemas"]["CountedEvent"] | components["schemas"]["UnreadableEvent"] | components["schemas"]["ExcludedEvent"] | components["schemas"]["DriftEvent"] | components["schemas"]["CompletedEvent"] | components["schemas"]["StandstillEvent"] | components["schemas"]["AuditPassedEvent"] | components["schemas"]["AuditFailedEvent"] | components["schemas"]["WithdrawnEvent"] | components["schemas"]["PlainEvent"];
        /**
         * EventType
         * @description What an entry of a submission’s log is about.
         * @enum {unknown}
         */
        EventType: "accepted" | "listing" | "listed" | "transferring" | "transferred" | "objects_unreadable" | "excluded" | "verifying" | "drift" | "packaging" | "publishing" | "completed" | "waiting" | "credentials_replaced" | "resumed" | "failed" | "retried" | "cancelled" | "audit_passed" | "audit_failed" | "withdrawn" | "removed";
        /** ExcludedEvent */
        ExcludedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["ExclusionData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "excluded";
        };
        /**
         * ExcludeRequest
         * @description What is to be left out, and why.
         */
        ExcludeRequest: {
            /** @description Keys that the submission names as unreadable. */
            keys: string[];
            /** @description Manifest and receipt will name it. */
            reason: string;
        };
        /**
         * ExclusionData
         * @description What was left out by decision.
         */
        ExclusionData: {
            /** @description How many were left out. */
            count: number;
            /** @description The first 20. */
            keys: string[];
            /** @description Why, as it was given. */
            reason: string;
        };
        /**
         * Fault
         * @description Whose turn it is: the submitter’s, that of whoever runs the source, the service’s own, the operator’s.
         * @enum {unknown}
         */
        Fault: "submitter" | "source" | "service" | "operator";
        /**
         * File
         * @description An object of the bucket, and what became of it.
         */
        File: {
            /** @description How often it was asked for. */
            attempts: number;
            /** @description Its size. */
            bytes: number;
            /** @description Why it cannot be read. */
            error: components["schemas"]["FileError"] | null;
            /** @description In the bucket. */
            key: string;
            /** @description Logical path in the dataset. */
            path: string;
            /** @description Of the bytes as they are stored, in lower-case hex; null until then. */
            sha512: string | null;
            state: components["schemas"]["FileState"];
            /** @description The strongest check against what the source states that held. */
            verifiedBy: components["schemas"]["VerifiedBy"] | null;
            /** @description Its algorithm, such as `crc64nvme`. */
            verifiedWith: string | null;
        };
        /**
         * FileError
         * @description Why an object cannot be read.
         */
        FileError: {
            code: components["schemas"]["ProblemCode"];
            /** @description For people. */
            message: string;
        };
        /**
         * FileState
         * @description What became of an object: known, stored and verified, unreadable, or left out by decision.
         * @enum {unknown}
         */
        FileState: "listed" | "stored" | "failed" | "excluded";
        /**
         * Finding
         * @description Something that is wrong with an archived dataset.
         */
        Finding: {
            /** @description As “accession verify” names it. */
            code: string;
            /** @description For people. */
            detail: string;
            /** @description In the dataset’s folder; empty for the whole of it. */
            path: string;
        };
        /**
         * Health
         * @description That all is well.
         */
        Health: {
            /**
             * @description The same at all times; what is wrong is a problem.
             * @constant
             */
            status: "ok";
        };
        /**
         * IdentityProvider
         * @description Where callers sign in.
         */
        IdentityProvider: {
            /** @description As which client pages sign people in; null where the operator has set up none. */
            clientId: string | null;
            /** @description The OpenID provider, as it names itself. */
            issuer: string;
            /** @description The resource to ask it for (RFC 8707); null where none is to be named. */
            resource: string | null;
            /** @description What to ask the provider for. */
            scope: string;
        };
        /**
         * JsonLdDataset
         * @description A version of a dataset in the terms of schema.org, or of DCAT 3, as JSON-LD.
         */
        JsonLdDataset: {
            /** @description What the terms mean. */
            "@context": string | {
                [key: string]: string;
            };
            /** @description The address of the version. */
            "@id": string;
            /**
             * @description In schema.org, or in DCAT.
             * @enum {unknown}
             */
            "@type": "Dataset" | "dcat:Dataset";
        } & {
            [key: string]: unknown;
        };
        /**
         * Jwks
         * @description A JSON Web Key Set (RFC 7517).
         */
        Jwks: {
            /** @description The present one first. */
            keys: unknown[];
        };
        /**
         * LargeObject
         * @description One of the largest objects.
         */
        LargeObject: {
            /** @description Its size. */
            bytes: number;
            /** @description In the bucket. */
            key: string;
        };
        /**
         * LinkContext
         * @description The links of a version, by relation.
         */
        LinkContext: {
            /** @description What the links are about. */
            anchor: string;
            /** @description ORCID records of the authors. */
            author?: components["schemas"]["LinkTarget"][];
            /** @description The address to cite. */
            "cite-as"?: components["schemas"]["LinkTarget"][];
            /** @description Descriptions in other standards. */
            describedby?: components["schemas"]["LinkTarget"][];
            /** @description Every file. */
            item: components["schemas"]["LinkTarget"][];
            /** @description The licence. */
            license?: components["schemas"]["LinkTarget"][];
            /** @description What kind of resource it is. */
            type?: components["schemas"]["LinkTarget"][];
        };
        /**
         * Linkset
         * @description The links of a version of a dataset (RFC 9264).
         */
        Linkset: {
            /** @description One. */
            linkset: components["schemas"]["LinkContext"][];
        };
        /**
         * LinkTarget
         * @description Where a link leads (RFC 9264, section 4.2.3).
         */
        LinkTarget: {
            /** @description The address. */
            href: string;
            /** @description The form that it has, as a URI. */
            profile?: string[];
            /** @description Media type of the target. */
            type?: string;
        };
        /**
         * Metadata
         * @description What the dataset is and who made it: at most 4 MiB as compact JSON in UTF-8.
         */
        Metadata: {
            /** @description In the order in which they are to be cited. */
            authors: components["schemas"]["Author"][];
            /**
             * @description What the data are, how they were made, what they are good for. Search engines want 50 to 5,000 characters.
             * @example Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute.
             */
            description?: string;
            /**
             * @description The day on which the data may be published, `YYYY-MM-DD`.
             * @example 2027-06-30
             */
            embargoDate?: string;
            /**
             * @description BCP 47 tag, ISO 639 code or English name of the data’s language.
             * @example en
             */
            language?: string;
            /**
             * @description SPDX id or expression, web address, or a usual spelling such as `CC BY 4.0`.
             * @example CC-BY-4.0
             */
            license?: string;
            /**
             * @description Keywords.
             * @example [
             *       "barley",
             *       "phenotyping"
             *     ]
             */
            subjects?: string[];
            /**
             * @description What the dataset is called.
             * @example Barley root images, field season 2026
             */
            title: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * MetadataSummary
         * @description A bounded subset of the metadata as sent.
         */
        MetadataSummary: {
            /** @description The first 3 authors, each text with at most 100 characters. */
            authors: components["schemas"]["AuthorSummary"][];
            /** @description How many authors there are. */
            authorsTotal: number;
            /** @description The description, at most 300 characters of it. */
            description?: string;
            /** @description The end of the embargo as sent. */
            embargoDate?: string;
            /** @description The language as sent. */
            language?: string;
            /** @description The licence as sent. */
            license?: string;
            /** @description The first 5 keywords. */
            subjects: string[];
            /** @description How many keywords there are. */
            subjectsTotal: number;
            /** @description The title, at most 300 characters of it. */
            title: string;
        };
        /**
         * NewCredentials
         * @description The keys with which reading goes on.
         */
        NewCredentials: {
            s3Access?: components["schemas"]["NewS3Access"];
        };
        /**
         * NewS3Access
         * @description New keys; another endpoint or bucket is refused.
         */
        NewS3Access: {
            /**
             * @description Access key id.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description True for a bucket that is open to everyone: no keys. */
            anonymous?: boolean;
            /**
             * @description The bucket’s bare name, 3 to 63 characters.
             * @example barley-roots
             */
            bucket?: string;
            /**
             * @description Address of the S3 server; without a scheme it means https.
             * @example https://s3.example.org
             */
            endpoint?: string;
            /** @description True for host/bucket, false for bucket.host; without it, what suits the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region; without it, it is found out from the server.
             * @example eu-central-1
             */
            region?: string;
            /** @description Secret access key. It is encrypted while needed and then erased. */
            secretKey?: string;
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        };
        /**
         * NewToken
         * @description A token, with the token itself.
         */
        NewToken: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description When it stops being valid; null for never. */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description Id of the token, not the token itself.
             */
            id: string;
            /** @description When it was last used, to the hour. */
            lastUsedAt: string | null;
            /** @description The owner for whom its holder acts. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description The token itself. It is shown here and never again. */
            token: string;
        };
        /**
         * NewTokenRequest
         * @description For whom a token is, and what they may do.
         */
        NewTokenRequest: {
            /** @description In a year unless given; null for never. */
            expiresAt?: string | null;
            /** @description The owner for whom its holder acts; several tokens may have the same one. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * NewWebhook
         * @description A webhook, with the secret that signs for it.
         */
        NewWebhook: {
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
            deliveredAt: string | null;
            disabledAt: string | null;
            disabledBecause: ("gone" | "failing") | null;
            /** @description Types of events that the webhook subscribes to; null for all, including types that later versions add. */
            events: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "withdrawn")[] | null;
            /**
             * @description What deliveries look like.
             * @enum {unknown}
             */
            format: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            id: string;
            oldKeysUntil: string | null;
            /** @description Of whose submissions it is told. */
            owner: string;
            /** @description For `v1a`: `whpk_` and the Ed25519 key in Base64. */
            publicKey: string;
            /** @description For `v1`: `whsec_` and the key in Base64. It is shown here and never again. */
            secret: string;
            submission: string | null;
            /** @description Where its deliveries are sent. */
            url: string;
        };
        /**
         * NewWebhookRequest
         * @description Who is to be told, and of what.
         */
        NewWebhookRequest: {
            /** @description Only events of these types; null for all of them. */
            events?: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "withdrawn")[] | null;
            /**
             * @description `cloudevents` for CloudEvents 1.0 in structured mode; otherwise `json`.
             * @enum {unknown}
             */
            format?: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Only this submission, and that from its beginning; otherwise all of the caller’s own.
             */
            submission?: string;
            /**
             * @description Where deliveries are sent, by POST. `http://` only in networks that the operator allows.
             * @example https://lab.example.org/accession
             */
            url: string;
        };
        /**
         * Notice
         * @description By the recommendations of Standard Webhooks (“Payload structure”).
         */
        Notice: {
            data: components["schemas"]["NoticeData"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            type: components["schemas"]["NoticeType"];
        };
        /**
         * NoticeData
         * @description What happened to which submission.
         */
        NoticeData: {
            /** @description Which attempt of the submission. */
            attempt: number;
            /**
             * @description There where `links.event` has more than this.
             * @constant
             */
            cut?: true;
            /** @description For programs: `data` of the log’s entry. Null for none, or where they were too long. */
            details: (components["schemas"]["CompletedData"] | components["schemas"]["VersionData"] | components["schemas"]["StandstillData"] | components["schemas"]["WithdrawalData"]) | null;
            /** @description Number in the submission’s log, which tells the order. */
            event: number;
            links: components["schemas"]["NoticeLinks"];
            /** @description For people. */
            message: string;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            submission: string;
            /** @description Of the submission. */
            title: string;
        };
        /**
         * NoticeLinks
         * @description Where more of it is.
         */
        NoticeLinks: {
            /**
             * Format: uri
             * @description Once completed.
             */
            dataset?: string;
            /**
             * Format: uri
             * @description The log’s entry, whole.
             */
            event: string;
            /**
             * Format: uri
             * @description Once completed.
             */
            receipt?: string;
            /**
             * Format: uri
             * @description The submission.
             */
            submission: string;
        };
        /**
         * NoticeType
         * @description The type of the log’s entry. There can be more in a later version.
         * @enum {unknown}
         */
        NoticeType: "submission.accepted" | "submission.listing" | "submission.transferring" | "submission.verifying" | "submission.packaging" | "submission.completed" | "submission.waiting" | "submission.resumed" | "submission.failed" | "submission.retried" | "submission.cancelled" | "submission.withdrawn";
        /**
         * Notify
         * @description To whom it is written about a submission.
         */
        Notify: {
            /**
             * @description Where it is written to when the submission is accepted, needs its submitter, is completed or fails. Kept while needed, and in no package.
             * @example ada@example.org
             */
            email?: string;
        };
        /**
         * ObjectTotals
         * @description The number of objects and their size.
         */
        ObjectTotals: {
            /** @description Their bytes. */
            bytes: number;
            /** @description How many objects. */
            objects: number;
        };
        /** PlainEvent */
        PlainEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            /** @description Null so far. */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "listing" | "transferring" | "verifying" | "packaging" | "publishing" | "credentials_replaced" | "resumed" | "retried" | "cancelled" | "removed";
        };
        /**
         * Preview
         * @description What a submission of the bucket would take in.
         */
        Preview: {
            /** @description Their bytes. */
            bytes: number;
            changes?: components["schemas"]["PreviewChanges"];
            /** @description False if the listing was not completed within 10 seconds. */
            complete: boolean;
            /** @description A rough guess. */
            estimatedSeconds: number | null;
            /** @description Whether the archive has room for it at present. */
            fits: boolean;
            /** @description Folders in the order of their paths, three levels deep; the first 500 of each level. */
            folders: components["schemas"]["PreviewFolder"][];
            /** @description False where `folders` does not list all folders at the top of the bucket: they exceed its limits, or the listing stopped early. */
            foldersComplete: boolean;
            /** @description The largest objects. */
            largest: components["schemas"]["LargeObject"][];
            /** @description Listed objects that are not selected. */
            leftOut: components["schemas"]["ObjectTotals"];
            /** @description What will not be taken, for people. */
            notes: string[];
            /** @description How many objects. */
            objects: number;
            /** @description The first keys that get another path, and why. */
            renamed: components["schemas"]["RenamedKey"][];
            /** @description How many there are in all. */
            renamedTotal: number;
            /** @description Bytes that the archive has room for; null where an object store does not say. */
            room: number | null;
            /** @description The 20 types that hold most bytes, first the largest. */
            types: components["schemas"]["PreviewFileType"][];
            /** @description Objects that have to be restored first. */
            unreadableStorageClasses: components["schemas"]["UnreadableStorageClass"][];
        };
        /**
         * PreviewChanges
         * @description Differences between a new version and the previous one.
         */
        PreviewChanges: {
            /** @description Keys that the previous version does not contain. */
            added: components["schemas"]["ObjectTotals"];
            /** @description Keys of the previous version whose objects are not known to be unchanged. */
            changed: components["schemas"]["ObjectTotals"];
            /** @description Null if the listing was not completed. */
            removed: components["schemas"]["ObjectTotals"] | null;
            /** @description False if the bucket differs from that of the previous version, or if `selection.refetch` is true; all objects are read then. */
            sameSource: boolean;
            /** @description The previous version. */
            since: number;
            /** @description Added and changed objects; `estimatedSeconds` and `fits` refer to them. */
            toRead: components["schemas"]["ObjectTotals"];
            /** @description Objects with the size and ETag of the previous version; they are not read again. */
            unchanged: components["schemas"]["ObjectTotals"];
        };
        /**
         * PreviewFileType
         * @description Objects whose keys end alike.
         */
        PreviewFileType: {
            /** @description Their bytes. */
            bytes: number;
            /** @description In lower case, without the dot; empty for keys without one. */
            extension: string;
            /** @description How many objects. */
            objects: number;
        };
        /**
         * PreviewFolder
         * @description A folder with all that lies below it.
         */
        PreviewFolder: {
            /** @description Their bytes. */
            bytes: number;
            /** @description False where `folders` does not list all folders directly in this one: they exceed its limits, or the listing stopped early. */
            foldersComplete: boolean;
            /** @description What lies below it and is not selected. */
            leftOut: components["schemas"]["ObjectTotals"];
            /** @description How many objects. */
            objects: number;
            /** @description What its keys begin with, the slash included. */
            path: string;
        };
        /**
         * PreviewRequest
         * @description The bucket to be counted, and the dataset of which it would become the next version.
         */
        PreviewRequest: {
            /**
             * @description Access key id.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description True for a bucket that is open to everyone: no keys. */
            anonymous?: boolean;
            /**
             * @description The bucket’s bare name, 3 to 63 characters.
             * @example barley-roots
             */
            bucket: string;
            dataset?: components["schemas"]["DatasetReference"];
            /**
             * @description Address of the S3 server; without a scheme it means https.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description True for host/bucket, false for bucket.host; without it, what suits the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region; without it, it is found out from the server.
             * @example eu-central-1
             */
            region?: string;
            /** @description Secret access key. It is encrypted while needed and then erased. */
            secretKey?: string;
            selection?: components["schemas"]["Selection"];
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Problem
         * @description An error (RFC 9457).
         */
        Problem: {
            /** @description What to do about it. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            /** @description What is wrong in this case. It never holds a key or a secret. */
            detail: string;
            /** @description Every fault of the request; of more than 1,000 the first ones. */
            errors?: components["schemas"]["Remark"][];
            fault: components["schemas"]["Fault"];
            /** @description URN that ends with the request’s id, as in the log and in `X-Request-Id`; absent when it was not even one. */
            instance?: string;
            quota?: components["schemas"]["QuotaExceeded"];
            /** @description Where the source says the bucket lies. */
            region?: string;
            report?: components["schemas"]["Report"];
            /** @description What the source calls it, such as `AccessDenied`. */
            s3Code?: string;
            /** @description As the answer’s. */
            status: number;
            /** @description The submission that the Idempotency-Key became. */
            submission?: string;
            /** @description The same for every problem of this code. */
            title: string;
            tombstone?: components["schemas"]["Tombstone"];
            /** @description `urn:accession:problem:` and the code. */
            type: string;
            /** @description What would be warned about, faults aside. */
            warnings?: components["schemas"]["Remark"][];
        };
        /**
         * ProblemCode
         * @description Stable code; docs/errors.md says of each whose turn it is and what to do. There can be more in a later version.
         * @enum {unknown}
         */
        ProblemCode: "malformed_json" | "malformed_multipart" | "bad_request" | "body_too_large" | "unsupported_media_type" | "headers_too_large" | "request_timeout" | "unauthenticated" | "token_invalid" | "identity_unavailable" | "forbidden" | "rate_limited" | "quota_exceeded" | "not_found" | "method_not_allowed" | "foreign_origin" | "foreign_host" | "precondition_failed" | "range_not_satisfiable" | "invalid_request" | "idempotency_conflict" | "last_admin" | "wrong_state" | "too_late" | "dataset_busy" | "dataset_moved_on" | "dataset_withdrawn" | "retry_expired" | "credentials_required" | "source_check_failed" | "source_timeout" | "source_empty" | "archive_unreadable" | "content_damaged" | "no_tokens_here" | "unavailable" | "internal_error" | "required" | "wrong_type" | "wrong_value" | "too_long" | "metadata_too_large" | "too_short" | "unknown_member" | "misspelt_member" | "duplicate_member" | "more_errors" | "unknown_parameter" | "creator_required" | "creator_name_required" | "orcid_invalid" | "embargo_date_invalid" | "language_unknown" | "endpoint_invalid" | "region_invalid" | "bucket_name_invalid" | "access_key_invalid" | "secret_key_invalid" | "session_token_invalid" | "keys_not_wanted" | "prefix_invalid" | "pattern_invalid" | "idempotency_key_invalid" | "not_unreadable" | "nothing_left" | "role_unknown" | "license_unknown" | "license_missing" | "country_unknown" | "ror_invalid" | "description_missing" | "description_short" | "description_long" | "affiliation_recovered" | "affiliation_unclear" | "more_warnings" | "bucket_in_endpoint" | "address_unresolvable" | "name_lookup_failed" | "address_refused" | "connection_refused" | "connection_timeout" | "connection_reset" | "network_unreachable" | "tls_untrusted" | "tls_expired" | "tls_wrong_host" | "tls_not_spoken" | "tls_expected" | "not_s3" | "redirected" | "wrong_region" | "clock_skewed" | "access_key_unknown" | "secret_key_wrong" | "credentials_expired" | "anonymous_denied" | "bucket_missing" | "list_denied" | "read_denied" | "slow_down" | "source_error" | "source_refused" | "credentials_rejected" | "source_unreachable" | "source_changed" | "source_blocked" | "listing_invalid" | "key_too_long" | "listing_loop" | "object_gone" | "object_changed" | "object_denied" | "object_archived" | "object_encrypted" | "object_length_wrong" | "object_unreadable" | "source_corrupt" | "objects_unreadable" | "no_space" | "archive_unwritable" | "already_published" | "waited_too_long" | "verification_failed" | "retry_requested" | "too_many_webhooks" | "webhook_disabled" | "webhook_url_invalid" | "webhook_refused" | "email_invalid" | "mail_off";
        /**
         * Progress
         * @description How far a submission is. Within an attempt it never goes back.
         */
        Progress: {
            /** @description Their bytes. */
            bytesListed: number;
            /** @description Null while nothing moves. */
            bytesPerSecond: number | null;
            /** @description Their bytes. */
            bytesStored: number;
            /** @description Whether all that is wanted is known; until then the counts grow. */
            listingComplete: boolean;
            /** @description Objects that were left out by decision. */
            objectsExcluded: number;
            /** @description Objects that cannot be read and that nobody has decided on. */
            objectsFailed: number;
            /** @description Objects that are wanted. */
            objectsListed: number;
            /** @description Objects that are stored and verified. */
            objectsStored: number;
            /** @description An estimate; null without recent progress. */
            secondsLeft: number | null;
            /** @description Set when the source has sent nothing for 10 seconds although the service is reading from it. */
            stalled: components["schemas"]["Stalled"] | null;
        };
        /**
         * QuotaExceeded
         * @description Which quota it is, and by how much.
         */
        QuotaExceeded: {
            /** @description The limit. */
            allowed: number;
            /**
             * @description Which quota.
             * @enum {unknown}
             */
            of: "submissions" | "objects" | "bytes";
            /** @description What counts already. */
            used: number;
            /** @description What this would add. */
            wanted: number;
        };
        /**
         * Remark
         * @description A fault or a warning about one place of a request.
         */
        Remark: {
            code: components["schemas"]["ProblemCode"];
            /** @description For people. */
            detail: string;
            /** @description JSON pointer (RFC 6901) into the request. */
            pointer: string;
        };
        /**
         * RenamedKey
         * @description A key that cannot be a path as it is.
         */
        RenamedKey: {
            /**
             * @description Stable code of the reason. Later versions can add codes.
             * @enum {unknown}
             */
            code: "empty_segment" | "dot_segment" | "null_character" | "folder";
            /** @description In the bucket. */
            key: string;
            /** @description What it is called in the dataset. */
            path: string;
            /** @description Why, for people. */
            reason: string;
        };
        /**
         * Report
         * @description What a check of a bucket found, step by step.
         */
        Report: {
            /** @description `Connection successful`, or the cause and what to do. */
            message: string;
            /** @description Whether the bucket can be taken in. */
            ok: boolean;
            /** @description The least-privilege policy to paste; empty when fields are invalid. */
            policy: unknown;
            /** @description What was tried, in order. */
            steps: components["schemas"]["ReportStep"][];
        };
        /**
         * ReportStep
         * @description One thing that a check tries.
         */
        ReportStep: {
            /** @description Of the problem, where it failed. */
            code: components["schemas"]["ProblemCode"] | null;
            /** @description For people. */
            detail: string;
            /** @description What to do; empty when there is nothing to do. */
            hint: string;
            /** @description How long it took. */
            milliseconds: number;
            /**
             * @description What is tried, in this order.
             * @enum {unknown}
             */
            name: "address" | "connect" | "tls" | "clock" | "signature" | "bucket" | "list" | "read";
            /** @description Code of `detail`, for translation; null if the step failed. */
            note: components["schemas"]["StepNote"] | null;
            /**
             * @description What came of it.
             * @enum {unknown}
             */
            status: "passed" | "failed" | "skipped" | "warning";
            values: components["schemas"]["StepValues"];
        };
        /**
         * Role
         * @description What a caller may do; docs/access.md has the table.
         * @enum {unknown}
         */
        Role: "submitter" | "curator" | "admin";
        /**
         * S3Access
         * @description Where the bucket is and with what credentials it can be read.
         */
        S3Access: {
            /**
             * @description Access key id.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description True for a bucket that is open to everyone: no keys. */
            anonymous?: boolean;
            /**
             * @description The bucket’s bare name, 3 to 63 characters.
             * @example barley-roots
             */
            bucket: string;
            /**
             * @description Address of the S3 server; without a scheme it means https.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description True for host/bucket, false for bucket.host; without it, what suits the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region; without it, it is found out from the server.
             * @example eu-central-1
             */
            region?: string;
            /** @description Secret access key. It is encrypted while needed and then erased. */
            secretKey?: string;
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Selection
         * @description Which objects of the bucket are wanted; without it, all.
         */
        Selection: {
            /**
             * @description Patterns, each for a whole key: `*` and `?` stop at `/`, `**` does not (docs/package-format.md#selections). A key that matches one is left out, even if included.
             * @example [
             *       "**\/.*"
             *     ]
             */
            exclude?: string[];
            /**
             * @description Patterns, each for a whole key: `*` and `?` stop at `/`, `**` does not (docs/package-format.md#selections). A key must match one of them. None means every key.
             * @example [
             *       "**.csv"
             *     ]
             */
            include?: string[];
            /**
             * @description Only keys that begin with this, at most 1,024 bytes. It is not stripped from the paths.
             * @example experiment-7/
             */
            prefix?: string;
            /** @description True to read every object anew, even those that an earlier version holds. */
            refetch?: boolean;
        };
        /** SentAuthor */
        SentAuthor: {
            address?: string | null;
            affiliation?: string | null;
            city?: string | null;
            country?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            orcid?: string | null;
            role?: string | null;
            rorid?: string | null;
            zipCode?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentMetadata
         * @description As sent; null or an empty text is not given.
         */
        SentMetadata: {
            /** @description In the order in which they are to be cited. */
            authors?: components["schemas"]["SentAuthor"][];
            description?: string | null;
            embargoDate?: string | null;
            language?: string | null;
            license?: string | null;
            subjects?: string[] | "" | null;
            /**
             * @description What the dataset is called.
             * @example Barley root images, field season 2026
             */
            title: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Service
         * @description What a client has to know before anybody has signed in.
         */
        Service: {
            /** @description Whom packages and exports name as the publisher. */
            publisher: string;
            /** @description Whether submitters can be told by e-mail (`notify`). */
            sendsMail: boolean;
            signIn: components["schemas"]["SignIn"];
            /** @description Of the software. */
            version: string;
        };
        /**
         * SignIn
         * @description How callers sign in.
         */
        SignIn: {
            /**
             * @description `none`: nobody is asked; `tokens`: a token of this service; `oidc`: one of its OpenID provider.
             * @enum {unknown}
             */
            method: "none" | "tokens" | "oidc";
            /** @description Set with `oidc`. */
            provider: components["schemas"]["IdentityProvider"] | null;
        };
        /**
         * Source
         * @description Where it came from; never a key.
         */
        Source: {
            /** @description Name of the bucket. */
            bucket: string;
            /** @description Address of the S3 server. */
            endpoint: string;
            /** @description Null where the server has none. */
            region: string | null;
            selection: components["schemas"]["Selection"];
        };
        /**
         * Stalled
         * @description The source has stopped sending.
         */
        Stalled: {
            /**
             * Format: date-time
             * @description When the source last sent something.
             */
            since: string;
            /**
             * Format: date-time
             * @description When the service stops reading, at the latest, and the submission waits for the source.
             */
            until: string;
        };
        /**
         * Standstill
         * @description Why a submission waits, or failed.
         */
        Standstill: {
            /** @description What to do about it. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            fault: components["schemas"]["Fault"];
            /** @description What is wrong, for people. */
            message: string;
            /** @description Whether the same may succeed later without anybody changing anything. */
            retryable: boolean;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description When waiting ends in failure; null where it does not. */
            until: string | null;
        };
        /**
         * StandstillData
         * @description Why a submission waits, or failed.
         */
        StandstillData: {
            code: components["schemas"]["ProblemCode"];
            fault: components["schemas"]["Fault"];
        };
        /** StandstillEvent */
        StandstillEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["StandstillData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "waiting" | "failed";
        };
        /**
         * Status
         * @description `completed` and `cancelled` are for good; a `failed` submission can be retried.
         * @enum {unknown}
         */
        Status: "accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "failed" | "cancelled";
        /**
         * StepNote
         * @description Stable code of what a step found. Later versions can add codes.
         * @enum {unknown}
         */
        StepNote: "address_resolved" | "connection_accepted" | "certificate_trusted" | "unencrypted" | "clocks_agree" | "clocks_differ" | "clock_unknown" | "time_accepted" | "keys_accepted" | "anonymous" | "bucket_found" | "bucket_empty" | "prefix_unmatched" | "objects_listed" | "objects_listed_partly" | "no_object" | "object_readable" | "not_reached";
        /**
         * StepValues
         * @description The values that `detail` contains, for clients that translate `note` or `code`.
         */
        StepValues: {
            /** @description IP addresses of the server. */
            addresses?: string[];
            /** @description Name of the server, with its port if the endpoint names one. */
            host?: string;
            /** @description Key of the object that was read. */
            key?: string;
            /** @description Difference between the clocks. */
            minutes?: number;
            /** @description Number of objects on the first page of the listing. */
            objects?: number;
            /** @description The prefix of the request. */
            prefix?: string;
            /** @description Region of the bucket according to the server. */
            region?: string;
            /** @description Error code of the server, such as `AccessDenied`. */
            s3Code?: string;
        };
        /**
         * Submission
         * @description One request to take in a bucket, and what became of it.
         */
        Submission: {
            /** @description A retry begins the next one. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /** @description What it became; null until it is completed. */
            dataset: components["schemas"]["DatasetVersion"] | null;
            /** @description What changed in the bucket after it was read. */
            drift: components["schemas"]["Drift"][];
            /** @description Why it failed; null unless it did. */
            failure: components["schemas"]["Standstill"] | null;
            /** @description When it ended; null while it goes on. */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            id: string;
            /** @description Paths: `self`, `files`, `events`, and once completed `receipt` and `dataset`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["SentMetadata"];
            /** @description For whom it was submitted. */
            owner: string;
            progress: components["schemas"]["Progress"];
            source: components["schemas"]["Source"];
            /** @description What the receipt says, and `no` once the dataset was withdrawn; null until it is completed. */
            sourceMayBeDeleted: ("yes" | "no") | null;
            /** @description The sentence that says why, and of what; null until it is completed. */
            statement: string | null;
            status: components["schemas"]["Status"];
            /** @description The version that it creates; null for submissions of early releases. */
            target: components["schemas"]["DatasetVersion"] | null;
            /** @description Of the metadata, without spaces at its ends. */
            title: string;
            /**
             * Format: date-time
             * @description When something last happened.
             */
            updatedAt: string;
            /** @description Why it waits; null unless it does. */
            waiting: components["schemas"]["Standstill"] | null;
            /** @description What was accepted and could be better. */
            warnings: components["schemas"]["Remark"][];
            /** @description Set when the dataset was withdrawn: its bytes are gone, and the source may not be deleted. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * SubmissionEntry
         * @description A submission in a list. Its size is bounded: `metadata` is a subset, and long texts and lists are shortened. `GET /submission/{id}` has all of it.
         */
        SubmissionEntry: {
            /** @description A retry begins the next one. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /** @description What it became; null until it is completed. */
            dataset: components["schemas"]["DatasetVersion"] | null;
            /** @description What changed in the bucket after it was read. */
            drift: components["schemas"]["Drift"][];
            /** @description How many objects changed in the bucket; `drift` names the first 3. */
            driftTotal: number;
            /** @description Why it failed; null unless it did. */
            failure: components["schemas"]["Standstill"] | null;
            /** @description When it ended; null while it goes on. */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            id: string;
            /** @description Paths: `self`, `files`, `events`, and once completed `receipt` and `dataset`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["MetadataSummary"];
            /** @description For whom it was submitted. */
            owner: string;
            progress: components["schemas"]["Progress"];
            /** @description Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis. */
            shortened: boolean;
            source: components["schemas"]["Source"];
            /** @description What the receipt says, and `no` once the dataset was withdrawn; null until it is completed. */
            sourceMayBeDeleted: ("yes" | "no") | null;
            /** @description The sentence that says why, and of what; null until it is completed. */
            statement: string | null;
            status: components["schemas"]["Status"];
            /** @description The version that it creates; null for submissions of early releases. */
            target: components["schemas"]["DatasetVersion"] | null;
            /** @description Of the metadata, without spaces at its ends. */
            title: string;
            /**
             * Format: date-time
             * @description When something last happened.
             */
            updatedAt: string;
            /** @description Why it waits; null unless it does. */
            waiting: components["schemas"]["Standstill"] | null;
            /** @description What was accepted and could be better. */
            warnings: components["schemas"]["Remark"][];
            /** @description How many warnings there are; `warnings` has the first 3. */
            warningsTotal: number;
            /** @description Set when the dataset was withdrawn: its bytes are gone, and the source may not be deleted. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * TestCloudEvent
         * @description A test delivery as a CloudEvent 1.0 in structured mode.
         */
        TestCloudEvent: {
            data: components["schemas"]["TestData"];
            /**
             * @description Media type of `data`.
             * @constant
             */
            datacontenttype: "application/json";
            /** @description Id of the delivery. */
            id: string;
            /**
             * Format: uri
             * @description This service.
             */
            source: string;
            /**
             * @description Version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description The webhook.
             */
            subject: string;
            /**
             * Format: date-time
             * @description When the test was requested.
             */
            time: string;
            /**
             * @description A test delivery.
             * @constant
             */
            type: "webhook.test";
        };
        /**
         * TestData
         * @description Which webhook is tested.
         */
        TestData: {
            links: components["schemas"]["TestLinks"];
            /** @description For people. */
            message: string;
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            webhook: string;
        };
        /**
         * TestLinks
         * @description Where the webhook is described.
         */
        TestLinks: {
            /**
             * Format: uri
             * @description The webhook.
             */
            webhook: string;
        };
        /**
         * TestNotice
         * @description A test delivery.
         */
        TestNotice: {
            data: components["schemas"]["TestData"];
            /**
             * Format: date-time
             * @description When the test was requested.
             */
            timestamp: string;
            /**
             * @description A test delivery.
             * @constant
             */
            type: "webhook.test";
        };
        /**
         * Token
         * @description What is known of a token; never the token itself.
         */
        Token: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description When it stops being valid; null for never. */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description Id of the token, not the token itself.
             */
            id: string;
            /** @description When it was last used, to the hour. */
            lastUsedAt: string | null;
            /** @description The owner for whom its holder acts. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * Tombstone
         * @description What stays of a dataset that was withdrawn.
         */
        Tombstone: {
            /**
             * Format: date-time
             * @description When it was archived.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description `urn:uuid:` and the id. */
            identifier: string;
            /** @description Why, as they gave it. */
            reason: string;
            /** @description When its bytes were gone; null until then. */
            removedAt: string | null;
            /** @description Of the dataset. */
            title: string;
            /** @description The versions that it had. */
            versions: components["schemas"]["WithdrawnVersion"][];
            /**
             * Format: date-time
             * @description When it was withdrawn.
             */
            withdrawnAt: string;
            /** @description The admin who withdrew it. */
            withdrawnBy: string;
        };
        /**
         * UnreadableData
         * @description What cannot be read.
         */
        UnreadableData: {
            /** @description How many cannot be read. */
            count: number;
            /** @description Why, of the first of them. */
            objects?: components["schemas"]["FileError"][];
        };
        /** UnreadableEvent */
        UnreadableEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["UnreadableData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "objects_unreadable";
        };
        /**
         * UnreadableStorageClass
         * @description A storage class from which nothing can be read at once.
         */
        UnreadableStorageClass: {
            /** @description How many objects. */
            objects: number;
            /** @description As the server names it. */
            storageClass: string;
        };
        /**
         * UploadRequest
         * @description A bucket to be taken in.
         */
        UploadRequest: {
            dataset?: components["schemas"]["DatasetReference"];
            metadata: components["schemas"]["Metadata"];
            notify?: components["schemas"]["Notify"];
            s3Access: components["schemas"]["S3Access"];
            selection?: components["schemas"]["Selection"];
        };
        /**
         * Validation
         * @description What the rules of the metadata say.
         */
        Validation: {
            /** @description What a submission would be refused for. */
            errors: components["schemas"]["Remark"][];
            /** @description What would be archived; null when invalid. */
            normalized: unknown | null;
            /** @description Whether there are no errors. */
            valid: boolean;
            /** @description What could be better. */
            warnings: components["schemas"]["Remark"][];
        };
        /**
         * VerifiedBy
         * @description How a file was compared with what the source states: a checksum of the server’s, the ETag as MD5 of all or of the parts, or the length alone.
         * @enum {unknown}
         */
        VerifiedBy: "checksum" | "md5" | "md5-parts" | "length";
        /**
         * Version
         * @description A version of a dataset.
         */
        Version: {
            /** @description How many it holds. */
            bytes: number;
            /** @description How many it holds. */
            objects: number;
            /**
             * Format: date-time
             * @description When it was archived.
             */
            publishedAt: string;
            /**
             * Format: uuid
             * @description Which submission it came from.
             */
            submission: string;
            /** @description Its number. */
            version: number;
        };
        /**
         * VersionData
         * @description Which version of which dataset it is about.
         */
        VersionData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Which of its versions. */
            version: number;
        };
        /**
         * Webhook
         * @description An address that is told what happens to submissions.
         */
        Webhook: {
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
            deliveredAt: string | null;
            disabledAt: string | null;
            disabledBecause: ("gone" | "failing") | null;
            /** @description Types of events that the webhook subscribes to; null for all, including types that later versions add. */
            events: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "withdrawn")[] | null;
            /**
             * @description What deliveries look like.
             * @enum {unknown}
             */
            format: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            id: string;
            oldKeysUntil: string | null;
            /** @description Of whose submissions it is told. */
            owner: string;
            /** @description For `v1a`: `whpk_` and the Ed25519 key in Base64. */
            publicKey: string;
            submission: string | null;
            /** @description Where its deliveries are sent. */
            url: string;
        };
        /**
         * WebhookChanges
         * @description Changes to a webhook.
         */
        WebhookChanges: {
            /** @description Only events of these types; null for all of them. */
            events?: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "withdrawn")[] | null;
        };
        /**
         * Withdrawal
         * @description Who withdrew a dataset, when and why.
         */
        Withdrawal: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The admin who withdrew it. */
            by: string;
            /** @description Why, as they gave it. */
            reason: string;
        };
        /**
         * WithdrawalData
         * @description Who withdrew which dataset, and why.
         */
        WithdrawalData: {
            /** @description The admin who withdrew it. */
            by: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Why, as they gave it. */
            reason: string;
        };
        /** WithdrawnEvent */
        WithdrawnEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Which attempt of the submission. */
            attempt: number;
            data: components["schemas"]["WithdrawalData"];
            /** @description Number in the submission’s log. */
            id: number;
            /** @description For people. */
            message: string;
            /** @enum {unknown} */
            type: "withdrawn";
        };
        /**
         * WithdrawnVersion
         * @description What is known of a version whose bytes are gone.
         */
        WithdrawnVersion: {
            /** @description How many it held. */
            bytes: number;
            /** @description How many it held. */
            objects: number;
            /**
             * Format: date-time
             * @description When it was archived.
             */
            publishedAt: string;
            /** @description Where the receipt is. */
            receipt: string;
            /**
             * Format: uuid
             * @description Which submission it came from.
             */
            submission: string;
            /** @description Its number. */
            version: number;
        };
        /**
         * WithdrawRequest
         * @description Why a dataset is withdrawn.
         */
        WithdrawRequest: {
            /** @description The tombstone will name it. */
            reason: string;
        };
    };
    responses: {
        /** @description - `bad_request`: The request cannot be understood. */
        BadRequest: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `bad_request`: The request cannot be understood.
         *     - `malformed_json`: The body is not valid JSON.
         */
        BadRequestOrMalformedJson: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `bad_request`: The request cannot be understood.
         *     - `malformed_json`: The body is not valid JSON.
         *     - `malformed_multipart`: The multipart body cannot be read.
         */
        BadRequestOrMalformedJsonOrMalformedMultipart: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `body_too_large`: The body is too large. */
        BodyTooLarge: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `foreign_origin`: Pages from this origin may not call this service.
         *     - `foreign_host`: The service was called under a name that is not its own.
         */
        ForeignOriginOrForeignHost: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `foreign_origin`: Pages from this origin may not call this service.
         *     - `foreign_host`: The service was called under a name that is not its own.
         *     - `forbidden`: Your role does not allow this.
         */
        ForeignOriginOrForeignHostOrForbidden: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `headers_too_large`: The request’s headers are too large. */
        HeadersTooLarge: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `internal_error`: A fault in Accession itself. */
        InternalError: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `invalid_request`: The request has faults. */
        InvalidRequest: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `not_found`: Not found. */
        NotFound: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `rate_limited`: Too many requests. */
        RateLimited: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `request_timeout`: The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `body_too_large`: The body is too large. */
        SentenceBodyTooLarge: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /**
         * @description - `foreign_origin`: Pages from this origin may not call this service.
         *     - `foreign_host`: The service was called under a name that is not its own.
         *     - `forbidden`: Your role does not allow this.
         */
        SentenceForeignOriginOrForeignHostOrForbidden: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /** @description - `internal_error`: A fault in Accession itself. */
        SentenceInternalError: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /** @description - `invalid_request`: The request has faults. */
        SentenceInvalidRequest: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /** @description - `rate_limited`: Too many requests. */
        SentenceRateLimited: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /**
         * @description - `unauthenticated`: A token is needed.
         *     - `token_invalid`: The token is not valid.
         */
        SentenceUnauthenticatedOrTokenInvalid: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /**
         * @description - `unavailable`: The service is starting, stopping or has lost its database.
         *     - `identity_unavailable`: The identity provider cannot be asked.
         */
        SentenceUnavailableOrIdentityUnavailable: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /** @description - `unsupported_media_type`: This media type is not accepted here. */
        SentenceUnsupportedMediaType: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": string;
                "text/plain": string;
            };
        };
        /**
         * @description - `unauthenticated`: A token is needed.
         *     - `token_invalid`: The token is not valid.
         */
        UnauthenticatedOrTokenInvalid: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `unavailable`: The service is starting, stopping or has lost its database. */
        Unavailable: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `unavailable`: The service is starting, stopping or has lost its database.
         *     - `identity_unavailable`: The identity provider cannot be asked.
         */
        UnavailableOrIdentityUnavailable: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description - `unsupported_media_type`: This media type is not accepted here. */
        UnsupportedMediaType: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description `bytes`, or `none` of ZIPs.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description A name to save it under (RFC 6266).
         * @example attachment; filename="receipt-6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11.jws"
         */
        "Content-Disposition": string;
        /**
         * @description Which bytes these are, and of how many; of an answer 416 how many there are.
         * @example bytes 0-1023/85146
         */
        "Content-Range": string;
        /**
         * @description Names the bytes.
         * @example "T40Yw0mXc1dXwFq2k8v1Zg"
         */
        ETag: string;
        /**
         * @description Typed links (RFC 8288): what it belongs to or, of a dataset, the relations of FAIR Signposting.
         * @example <https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02>; rel="collection"
         */
        Links: string;
        /**
         * @description Path of what was created.
         * @example /submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
         */
        Location: string;
        /**
         * @description The next page, as `rel="next"` (RFC 8288); absent on the last one.
         * @example </submission?limit=50&cursor=MjAyNi0xMS0wMVQwODozMDowMC4wMDBa>; rel="next"
         */
        NextPage: string;
        /**
         * @description Path of the page for people.
         * @example /app/datasets/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
         */
        Page: string;
        /**
         * @description How many such requests a minute are answered.
         * @example 600
         */
        "RateLimit-Limit": number;
        /**
         * @description How many are left.
         * @example 0
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until all are there again.
         * @example 12
         */
        "RateLimit-Reset": number;
        /**
         * @description SHA-512 of the whole file (RFC 9530); absent of ZIPs.
         * @example sha-512=:Tw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTQ==:
         */
        "Repr-Digest": string;
        /**
         * @description Seconds to wait before the next try.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description What is asked for (RFC 6750, section 3).
         * @example Bearer realm="accession"
         */
        "WWW-Authenticate": string;
        /**
         * @description Names the request, as in the log.
         * @example 0f9e3c0e-6a0b-4f0a-9d35-6a6f6a1f2b11
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK set (RFC 7517). */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "kid": "kPrK…",
                     *           "x": "11qY…"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who it is. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "owner": "josiah",
                     *       "roles": [
                     *         "submitter"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Caller"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only those of this owner. For curators and admins.
                 * @example josiah
                 */
                owner?: string;
                /**
                 * @description Part of the title, or beginnings of words that all occur in title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics do not matter.
                 * @example moisture
                 */
                q?: string;
                /**
                 * @description Only those that changed later than this (ISO 8601 with a time zone).
                 * @example 2026-11-01T00:00:00Z
                 */
                updatedAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "owner": "josiah",
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "metadata": {
                     *           "title": "Soil moisture of 24 wheat plots",
                     *           "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *           "authors": [
                     *             {
                     *               "role": "Creator",
                     *               "firstName": "Josiah",
                     *               "lastName": "Carberry",
                     *               "orcid": "0000-0002-1825-0097"
                     *             }
                     *           ],
                     *           "language": "en",
                     *           "subjects": [
                     *             "wheat",
                     *             "irrigation"
                     *           ],
                     *           "license": "CC-BY-4.0",
                     *           "authorsTotal": 1,
                     *           "subjectsTotal": 2
                     *         },
                     *         "version": 1,
                     *         "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "createdAt": "2026-11-02T08:30:04.100Z",
                     *         "publishedAt": "2026-11-02T08:30:04.100Z",
                     *         "updatedAt": "2026-11-02T08:30:04.100Z",
                     *         "objects": 24,
                     *         "bytes": 2043512,
                     *         "withdrawn": null,
                     *         "shortened": false,
                     *         "links": {
                     *           "self": "/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "submission": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DatasetEntry"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getDataset: {
        parameters: {
            query?: {
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset, or a description of it. */
            200: {
                headers: {
                    Link: components["headers"]["Links"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "version": 1,
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "versions": [
                     *         {
                     *           "version": 1,
                     *           "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *           "publishedAt": "2026-11-02T08:30:04.100Z",
                     *           "objects": 24,
                     *           "bytes": 2043512
                     *         }
                     *       ],
                     *       "audit": {
                     *         "at": "2026-11-09T02:00:00.000Z",
                     *         "ok": true,
                     *         "files": 29,
                     *         "bytes": 2061344,
                     *         "findings": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Dataset"];
                    /**
                     * @example {
                     *       "@context": "https://schema.org",
                     *       "@type": "Dataset",
                     *       "@id": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "url": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "name": "Soil moisture of 24 wheat plots",
                     *       "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *       "creator": [
                     *         {
                     *           "@type": "Person",
                     *           "@id": "https://orcid.org/0000-0002-1825-0097",
                     *           "name": "Josiah Carberry",
                     *           "givenName": "Josiah",
                     *           "familyName": "Carberry"
                     *         }
                     *       ],
                     *       "publisher": {
                     *         "@type": "Organization",
                     *         "name": "Example Archive",
                     *         "url": "https://archive.example.org/"
                     *       },
                     *       "datePublished": "2026-11-02",
                     *       "version": "1",
                     *       "keywords": [
                     *         "wheat",
                     *         "irrigation"
                     *       ],
                     *       "inLanguage": "en",
                     *       "license": "https://creativecommons.org/licenses/by/4.0/legalcode",
                     *       "size": "24 files, 2043512 bytes",
                     *       "distribution": []
                     *     }
                     */
                    "application/ld+json": components["schemas"]["JsonLdDataset"];
                    /**
                     * @example {
                     *       "id": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "type": "dataset",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "author": [
                     *         {
                     *           "family": "Carberry",
                     *           "given": "Josiah"
                     *         }
                     *       ],
                     *       "issued": {
                     *         "date-parts": [
                     *           [
                     *             2026,
                     *             11,
                     *             2
                     *           ]
                     *         ]
                     *       },
                     *       "publisher": "Example Archive",
                     *       "version": "1",
                     *       "abstract": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *       "keyword": "wheat, irrigation",
                     *       "language": "en",
                     *       "URL": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "license": "https://creativecommons.org/licenses/by/4.0/legalcode"
                     *     }
                     */
                    "application/vnd.citationstyles.csl+json": components["schemas"]["CslItem"];
                    /**
                     * @example {
                     *       "identifiers": [
                     *         {
                     *           "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "identifierType": "URN"
                     *         }
                     *       ],
                     *       "alternateIdentifiers": [
                     *         {
                     *           "alternateIdentifier": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *           "alternateIdentifierType": "URL"
                     *         }
                     *       ],
                     *       "types": {
                     *         "resourceTypeGeneral": "Dataset",
                     *         "resourceType": "Dataset"
                     *       },
                     *       "creators": [
                     *         {
                     *           "name": "Carberry, Josiah",
                     *           "nameType": "Personal",
                     *           "givenName": "Josiah",
                     *           "familyName": "Carberry",
                     *           "nameIdentifiers": [
                     *             {
                     *               "nameIdentifier": "https://orcid.org/0000-0002-1825-0097",
                     *               "nameIdentifierScheme": "ORCID",
                     *               "schemeUri": "https://orcid.org"
                     *             }
                     *           ],
                     *           "affiliation": []
                     *         }
                     *       ],
                     *       "contributors": [],
                     *       "titles": [
                     *         {
                     *           "title": "Soil moisture of 24 wheat plots"
                     *         }
                     *       ],
                     *       "publisher": {
                     *         "name": "Example Archive"
                     *       },
                     *       "publicationYear": "2026",
                     *       "subjects": [
                     *         {
                     *           "subject": "wheat"
                     *         },
                     *         {
                     *           "subject": "irrigation"
                     *         }
                     *       ],
                     *       "dates": [
                     *         {
                     *           "date": "2026-11-02",
                     *           "dateType": "Submitted"
                     *         },
                     *         {
                     *           "date": "2026-11-02",
                     *           "dateType": "Available"
                     *         }
                     *       ],
                     *       "language": "en",
                     *       "version": "1",
                     *       "relatedIdentifiers": [
                     *         {
                     *           "relatedIdentifier": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "relatedIdentifierType": "URL",
                     *           "relationType": "IsVersionOf",
                     *           "resourceTypeGeneral": "Dataset"
                     *         }
                     *       ],
                     *       "rightsList": [
                     *         {
                     *           "rights": "Creative Commons Attribution 4.0 International",
                     *           "rightsUri": "https://creativecommons.org/licenses/by/4.0/legalcode",
                     *           "rightsIdentifier": "CC-BY-4.0",
                     *           "rightsIdentifierScheme": "SPDX",
                     *           "schemeUri": "https://spdx.org/licenses/"
                     *         }
                     *       ],
                     *       "descriptions": [
                     *         {
                     *           "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *           "descriptionType": "Abstract"
                     *         }
                     *       ],
                     *       "sizes": [
                     *         "24 files",
                     *         "2043512 bytes"
                     *       ],
                     *       "formats": [
                     *         "text/csv"
                     *       ],
                     *       "schemaVersion": "http://datacite.org/schema/kernel-4"
                     *     }
                     */
                    "application/vnd.datacite.datacite+json": components["schemas"]["DataciteRecord"];
                    "application/vnd.datacite.datacite+xml": string;
                    "application/x-bibtex": string;
                    "application/x-research-info-systems": string;
                    "application/xml": string;
                };
            };
            /** @description To the page, where `Accept` ranks `text/html` highest. */
            303: {
                headers: {
                    Location: components["headers"]["Page"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    createDownloadLink: {
        parameters: {
            query?: {
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What the link is for: a `path` or a `format`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "data/measurements/plot-01.csv"
                 *     }
                 */
                "application/json": components["schemas"]["DownloadLinkRequest"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "/download/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *       "expiresAt": "2026-06-01T08:01:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `identity_unavailable`: The identity provider cannot be asked.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportDataset: {
        parameters: {
            query?: {
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description What it becomes.
                 * @example datacite-json
                 */
                format: "ro-crate" | "bagit" | "schema-org" | "datacite-json" | "datacite-xml" | "dublin-core" | "dcat" | "csl" | "bibtex" | "ris";
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset in that form. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Link: components["headers"]["Links"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "@context": "https://schema.org",
                     *       "@type": "Dataset",
                     *       "@id": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "url": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "name": "Soil moisture of 24 wheat plots",
                     *       "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *       "creator": [
                     *         {
                     *           "@type": "Person",
                     *           "@id": "https://orcid.org/0000-0002-1825-0097",
                     *           "name": "Josiah Carberry",
                     *           "givenName": "Josiah",
                     *           "familyName": "Carberry"
                     *         }
                     *       ],
                     *       "publisher": {
                     *         "@type": "Organization",
                     *         "name": "Example Archive",
                     *         "url": "https://archive.example.org/"
                     *       },
                     *       "datePublished": "2026-11-02",
                     *       "version": "1",
                     *       "keywords": [
                     *         "wheat",
                     *         "irrigation"
                     *       ],
                     *       "inLanguage": "en",
                     *       "license": "https://creativecommons.org/licenses/by/4.0/legalcode",
                     *       "size": "24 files, 2043512 bytes",
                     *       "distribution": []
                     *     }
                     */
                    "application/ld+json": components["schemas"]["JsonLdDataset"];
                    /**
                     * @example {
                     *       "id": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "type": "dataset",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "author": [
                     *         {
                     *           "family": "Carberry",
                     *           "given": "Josiah"
                     *         }
                     *       ],
                     *       "issued": {
                     *         "date-parts": [
                     *           [
                     *             2026,
                     *             11,
                     *             2
                     *           ]
                     *         ]
                     *       },
                     *       "publisher": "Example Archive",
                     *       "version": "1",
                     *       "abstract": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *       "keyword": "wheat, irrigation",
                     *       "language": "en",
                     *       "URL": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *       "license": "https://creativecommons.org/licenses/by/4.0/legalcode"
                     *     }
                     */
                    "application/vnd.citationstyles.csl+json": components["schemas"]["CslItem"];
                    /**
                     * @example {
                     *       "identifiers": [
                     *         {
                     *           "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "identifierType": "URN"
                     *         }
                     *       ],
                     *       "alternateIdentifiers": [
                     *         {
                     *           "alternateIdentifier": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1",
                     *           "alternateIdentifierType": "URL"
                     *         }
                     *       ],
                     *       "types": {
                     *         "resourceTypeGeneral": "Dataset",
                     *         "resourceType": "Dataset"
                     *       },
                     *       "creators": [
                     *         {
                     *           "name": "Carberry, Josiah",
                     *           "nameType": "Personal",
                     *           "givenName": "Josiah",
                     *           "familyName": "Carberry",
                     *           "nameIdentifiers": [
                     *             {
                     *               "nameIdentifier": "https://orcid.org/0000-0002-1825-0097",
                     *               "nameIdentifierScheme": "ORCID",
                     *               "schemeUri": "https://orcid.org"
                     *             }
                     *           ],
                     *           "affiliation": []
                     *         }
                     *       ],
                     *       "contributors": [],
                     *       "titles": [
                     *         {
                     *           "title": "Soil moisture of 24 wheat plots"
                     *         }
                     *       ],
                     *       "publisher": {
                     *         "name": "Example Archive"
                     *       },
                     *       "publicationYear": "2026",
                     *       "subjects": [
                     *         {
                     *           "subject": "wheat"
                     *         },
                     *         {
                     *           "subject": "irrigation"
                     *         }
                     *       ],
                     *       "dates": [
                     *         {
                     *           "date": "2026-11-02",
                     *           "dateType": "Submitted"
                     *         },
                     *         {
                     *           "date": "2026-11-02",
                     *           "dateType": "Available"
                     *         }
                     *       ],
                     *       "language": "en",
                     *       "version": "1",
                     *       "relatedIdentifiers": [
                     *         {
                     *           "relatedIdentifier": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "relatedIdentifierType": "URL",
                     *           "relationType": "IsVersionOf",
                     *           "resourceTypeGeneral": "Dataset"
                     *         }
                     *       ],
                     *       "rightsList": [
                     *         {
                     *           "rights": "Creative Commons Attribution 4.0 International",
                     *           "rightsUri": "https://creativecommons.org/licenses/by/4.0/legalcode",
                     *           "rightsIdentifier": "CC-BY-4.0",
                     *           "rightsIdentifierScheme": "SPDX",
                     *           "schemeUri": "https://spdx.org/licenses/"
                     *         }
                     *       ],
                     *       "descriptions": [
                     *         {
                     *           "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *           "descriptionType": "Abstract"
                     *         }
                     *       ],
                     *       "sizes": [
                     *         "24 files",
                     *         "2043512 bytes"
                     *       ],
                     *       "formats": [
                     *         "text/csv"
                     *       ],
                     *       "schemaVersion": "http://datacite.org/schema/kernel-4"
                     *     }
                     */
                    "application/vnd.datacite.datacite+json": components["schemas"]["DataciteRecord"];
                    "application/vnd.datacite.datacite+xml": string;
                    "application/x-bibtex": string;
                    "application/x-research-info-systems": string;
                    "application/xml": string;
                    "application/zip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `identity_unavailable`: The identity provider cannot be asked.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDatasetFiles: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Beginning of the path.
                 * @example data/measurements/
                 */
                prefix?: string;
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "data/measurements/plot-01.csv",
                     *         "bytes": 85146,
                     *         "sha512": "4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d",
                     *         "contentType": "text/csv",
                     *         "lastModified": "2026-06-01T06:00:00.000Z",
                     *         "verifiedBy": "checksum",
                     *         "verifiedWith": "sha256"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DatasetFile"][];
                    /**
                     * @example path,bytes,sha512,contentType,lastModified,verifiedBy,verifiedWith
                     *     data/measurements/plot-01.csv,85146,4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d,text/csv,2026-06-01T06:00:00.000Z,checksum,sha256
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `identity_unavailable`: The identity provider cannot be asked.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDatasetFile: {
        parameters: {
            query?: {
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description Only if this is the ETag; else 412.
                 * @example *
                 */
                "if-match"?: string;
                /**
                 * @description Only if this is not the ETag; else 304.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-none-match"?: string;
                /**
                 * @description The range only if this is the ETag; else all.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-range"?: string;
                /**
                 * @description Which bytes are wanted.
                 * @example bytes=0-1023
                 */
                range?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
                /**
                 * @description Path of the file or folder.
                 * @example data/measurements/plot-01.csv
                 */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, of the media type that the source named; or the folder. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Links"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/zip": string;
                };
            };
            /** @description Some of its bytes; several ranges as `multipart/byteranges`. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Links"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "multipart/byteranges": string;
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `precondition_failed`: The file is not the one that If-Match names. */
            412: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - `range_not_satisfiable`: The file has no such bytes. */
            416: {
                headers: {
                    "Content-Range": components["headers"]["Content-Range"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `identity_unavailable`: The identity provider cannot be asked.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLinkset: {
        parameters: {
            query?: {
                /**
                 * @description Default: the latest one.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The linkset. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "linkset": [
                     *         {
                     *           "anchor": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "cite-as": [
                     *             {
                     *               "href": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02?version=1"
                     *             }
                     *           ],
                     *           "type": [
                     *             {
                     *               "href": "https://schema.org/Dataset"
                     *             }
                     *           ],
                     *           "item": [
                     *             {
                     *               "href": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02/files/data/measurements/plot-01.csv",
                     *               "type": "text/csv"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/linkset+json": components["schemas"]["Linkset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `identity_unavailable`: The identity provider cannot be asked.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "version": 1,
                     *         "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "publishedAt": "2026-11-02T08:30:04.100Z",
                     *         "objects": 24,
                     *         "bytes": 2043512
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Version"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    withdrawDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, also as `urn:uuid:…`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Why a dataset is withdrawn. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The owner of the field did not agree"
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawRequest"];
            };
        };
        responses: {
            /** @description It is withdrawn. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "withdrawnAt": "2026-12-01T10:00:00.000Z",
                     *       "withdrawnBy": "admin",
                     *       "reason": "The owner of the field did not agree",
                     *       "removedAt": null,
                     *       "versions": [
                     *         {
                     *           "version": 1,
                     *           "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *           "publishedAt": "2026-11-02T08:30:04.100Z",
                     *           "objects": 24,
                     *           "bytes": 2043512,
                     *           "receipt": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/receipt"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Tombstone"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_busy`: Another submission of this dataset is open. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    downloadOnce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the link has it.
                 * @example xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                 */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the package. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Links"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/zip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: A fault in Accession itself.
             *     - `content_damaged`: A file of the dataset is missing or damaged in the archive.
             */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `unavailable`: The service is starting, stopping or has lost its database.
             *     - `archive_unreadable`: The archive cannot be read.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus’ text format. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # TYPE accession_submissions gauge
                     *     accession_submissions{status="completed"} 1
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Accession",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Description"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it is. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.1.0",
                     *       "publisher": "Accession",
                     *       "sendsMail": false,
                     *       "signIn": {
                     *         "method": "oidc",
                     *         "provider": {
                     *           "issuer": "https://id.example.org/realms/lab",
                     *           "clientId": "accession-page",
                     *           "scope": "openid profile email",
                     *           "resource": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only those of this owner. For curators and admins.
                 * @example josiah
                 */
                owner?: string;
                /**
                 * @description Part of the title, or beginnings of words that all occur in title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics do not matter.
                 * @example moisture
                 */
                q?: string;
                /**
                 * @description By what the list is sorted: when they were accepted (`created`) or last changed (`updated`), title, bytes or objects. With `-` the newest, the last in the alphabet or the greatest come first.
                 * @example -bytes
                 */
                sort?: "created" | "-created" | "updated" | "-updated" | "title" | "-title" | "bytes" | "-bytes" | "objects" | "-objects";
                /**
                 * @description Only submissions of this status.
                 * @example completed
                 */
                status?: "accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "failed" | "cancelled";
                /**
                 * @description Only those that changed later than this (ISO 8601 with a time zone).
                 * @example 2026-11-01T00:00:00Z
                 */
                updatedAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "status": "completed",
                     *         "attempt": 1,
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "owner": "josiah",
                     *         "createdAt": "2026-11-02T08:30:00.000Z",
                     *         "updatedAt": "2026-11-02T08:30:04.100Z",
                     *         "finishedAt": "2026-11-02T08:30:04.100Z",
                     *         "metadata": {
                     *           "title": "Soil moisture of 24 wheat plots",
                     *           "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *           "authors": [
                     *             {
                     *               "role": "Creator",
                     *               "firstName": "Josiah",
                     *               "lastName": "Carberry",
                     *               "orcid": "0000-0002-1825-0097"
                     *             }
                     *           ],
                     *           "language": "en",
                     *           "subjects": [
                     *             "wheat",
                     *             "irrigation"
                     *           ],
                     *           "license": "CC-BY-4.0",
                     *           "authorsTotal": 1,
                     *           "subjectsTotal": 2
                     *         },
                     *         "source": {
                     *           "endpoint": "https://s3.example.org",
                     *           "region": "eu-central-1",
                     *           "bucket": "demo-field-trial",
                     *           "selection": {
                     *             "prefix": "measurements/",
                     *             "exclude": [
                     *               "**\/.*"
                     *             ]
                     *           }
                     *         },
                     *         "progress": {
                     *           "listingComplete": true,
                     *           "objectsListed": 24,
                     *           "bytesListed": 2043512,
                     *           "objectsStored": 24,
                     *           "bytesStored": 2043512,
                     *           "objectsFailed": 0,
                     *           "objectsExcluded": 0,
                     *           "bytesPerSecond": null,
                     *           "secondsLeft": null,
                     *           "stalled": null
                     *         },
                     *         "waiting": null,
                     *         "failure": null,
                     *         "drift": [],
                     *         "target": {
                     *           "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "version": 1
                     *         },
                     *         "dataset": {
                     *           "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "version": 1
                     *         },
                     *         "sourceMayBeDeleted": "yes",
                     *         "statement": "Every selected object was stored and verified against the source's own digests. Only a part of the bucket was selected (keys that begin with “measurements/” and do not match “**\/.*”): nothing else in it was taken. Only current object versions were taken, and this is one copy in this archive.",
                     *         "withdrawn": null,
                     *         "warnings": [],
                     *         "links": {
                     *           "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *           "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *           "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events",
                     *           "receipt": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/receipt",
                     *           "dataset": "/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02"
                     *         },
                     *         "driftTotal": 0,
                     *         "warningsTotal": 0,
                     *         "shortened": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SubmissionEntry"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it stands. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "completed",
                     *       "attempt": 1,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-02T08:30:04.100Z",
                     *       "finishedAt": "2026-11-02T08:30:04.100Z",
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": true,
                     *         "objectsListed": 24,
                     *         "bytesListed": 2043512,
                     *         "objectsStored": 24,
                     *         "bytesStored": 2043512,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "sourceMayBeDeleted": "yes",
                     *       "statement": "Every selected object was stored and verified against the source's own digests. Only a part of the bucket was selected (keys that begin with “measurements/” and do not match “**\/.*”): nothing else in it was taken. Only current object versions were taken, and this is one copy in this archive.",
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events",
                     *         "receipt": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/receipt",
                     *         "dataset": "/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    cancelSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is cancelled. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "cancelled",
                     *       "attempt": 1,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-02T08:30:02.000Z",
                     *       "finishedAt": "2026-11-02T08:30:02.000Z",
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": false,
                     *         "objectsListed": 0,
                     *         "bytesListed": 0,
                     *         "objectsStored": 0,
                     *         "bytesStored": 0,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": null,
                     *       "sourceMayBeDeleted": null,
                     *       "statement": null,
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `wrong_state`: The submission is not in a state that allows this.
             *     - `too_late`: It is too late to change this submission.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    replaceCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The keys with which reading goes on. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "s3Access": {
                 *         "accessKey": "DEMOACCESSKEY",
                 *         "secretKey": "demo-secret-key-not-a-secret"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewCredentials"];
            };
        };
        responses: {
            /** @description They were taken; what waited for them goes on. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "accepted",
                     *       "attempt": 1,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-02T08:30:00.000Z",
                     *       "finishedAt": null,
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": false,
                     *         "objectsListed": 0,
                     *         "bytesListed": 0,
                     *         "objectsStored": 0,
                     *         "bytesStored": 0,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": null,
                     *       "sourceMayBeDeleted": null,
                     *       "statement": null,
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `wrong_state`: The submission is not in a state that allows this.
             *     - `too_late`: It is too late to change this submission.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `invalid_request`: The request has faults.
             *     - `credentials_required`: The bucket’s credentials are needed again.
             *     - `source_check_failed`: The bucket cannot be taken in.
             *     - `source_timeout`: The check of the bucket took too long.
             */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events after this number.
                 * @example 1
                 */
                after?: number;
                /**
                 * @description Most events of an answer. A stream has no limit.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description For a stream: go on after this event.
                 * @example 1
                 */
                "last-event-id"?: string;
            };
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, in order. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 2,
                     *         "at": "2026-11-02T08:30:00.400Z",
                     *         "attempt": 1,
                     *         "type": "listed",
                     *         "message": "The listing is complete: 24 objects, 1.9 MiB",
                     *         "data": {
                     *           "objects": 24,
                     *           "bytes": 2043512
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Event"][];
                    /**
                     * @example retry: 1000
                     *
                     *     id: 2
                     *     event: listed
                     *     data: {"id":2,"at":"2026-11-02T08:30:00.400Z","attempt":1,"type":"listed","message":"The listing is complete: 24 objects, 1.9 MiB","data":{"objects":24,"bytes":2043512}}
                     *
                     *     event: progress
                     *     data: {"status":"transferring","attempt":1,"progress":{"listingComplete":true,"objectsListed":24,"bytesListed":2043512,"objectsStored":24,"bytesStored":2043512,"objectsFailed":0,"objectsExcluded":0,"bytesPerSecond":null,"secondsLeft":null,"stalled":null}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    excludeObjects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What is to be left out, and why. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keys": [
                 *         "measurements/plot-07.csv"
                 *       ],
                 *       "reason": "The sensor was broken"
                 *     }
                 */
                "application/json": components["schemas"]["ExcludeRequest"];
            };
        };
        responses: {
            /** @description They are left out. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "accepted",
                     *       "attempt": 1,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-02T08:30:00.000Z",
                     *       "finishedAt": null,
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": false,
                     *         "objectsListed": 0,
                     *         "bytesListed": 0,
                     *         "objectsStored": 0,
                     *         "bytesStored": 0,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": null,
                     *       "sourceMayBeDeleted": null,
                     *       "statement": null,
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `wrong_state`: The submission is not in a state that allows this. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Place in the listing to begin at, from 0. Counts without a `cursor`.
                 * @example 0
                 */
                from?: number;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Beginning of the path.
                 * @example data/measurements/
                 */
                prefix?: string;
                /**
                 * @description Only files of this state.
                 * @example stored
                 */
                state?: "listed" | "stored" | "failed" | "excluded";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "data/measurements/plot-01.csv",
                     *         "key": "measurements/plot-01.csv",
                     *         "bytes": 85146,
                     *         "sha512": "4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d",
                     *         "state": "stored",
                     *         "verifiedBy": "checksum",
                     *         "verifiedWith": "sha256",
                     *         "attempts": 1,
                     *         "error": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["File"][];
                    /**
                     * @example path,key,bytes,sha512,state,verifiedBy,verifiedWith,attempts,errorCode,errorMessage
                     *     data/measurements/plot-01.csv,measurements/plot-01.csv,85146,4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d4f8d,stored,checksum,sha256,1,,
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJzdWJtaXNzaW9uIjp7fX0.c2lnbmF0dXJl */
                    "application/jose": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `wrong_state`: The submission is not in a state that allows this. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    retrySubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the submission.
                 * @example 6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The keys with which reading goes on. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "s3Access": {
                 *         "accessKey": "DEMOACCESSKEY",
                 *         "secretKey": "demo-secret-key-not-a-secret"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewCredentials"];
            };
        };
        responses: {
            /** @description The new attempt. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "accepted",
                     *       "attempt": 2,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-03T09:00:00.000Z",
                     *       "finishedAt": null,
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": false,
                     *         "objectsListed": 0,
                     *         "bytesListed": 0,
                     *         "objectsStored": 0,
                     *         "bytesStored": 0,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": null,
                     *       "sourceMayBeDeleted": null,
                     *       "statement": null,
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Pages from this origin may not call this service.
             *     - `foreign_host`: The service was called under a name that is not its own.
             *     - `forbidden`: Your role does not allow this.
             *     - `quota_exceeded`: This is more than your quota allows.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `wrong_state`: The submission is not in a state that allows this.
             *     - `too_late`: It is too late to change this submission.
             *     - `dataset_busy`: Another submission of this dataset is open.
             *     - `dataset_moved_on`: The dataset has a newer version since.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `retry_expired`: What had been stored was removed.
             *     - `dataset_withdrawn`: The dataset was withdrawn.
             */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `invalid_request`: The request has faults.
             *     - `credentials_required`: The bucket’s credentials are needed again.
             *     - `source_check_failed`: The bucket cannot be taken in.
             *     - `source_timeout`: The check of the bucket took too long.
             */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    exists: {
        parameters: {
            query: {
                /**
                 * @description The whole title, as in the metadata.
                 * @example Soil moisture of 24 wheat plots
                 */
                title: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is one that is neither failed nor cancelled. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example true */
                    "text/plain": string;
                };
            };
            /** @description There is none. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    test_connection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Where the bucket is and with what credentials it can be read. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://s3.example.org",
                 *       "region": "eu-central-1",
                 *       "bucket": "demo-field-trial",
                 *       "accessKey": "DEMOACCESSKEY",
                 *       "secretKey": "demo-secret-key-not-a-secret",
                 *       "selection": {
                 *         "prefix": "measurements/",
                 *         "exclude": [
                 *           "**\/.*"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckRequest"];
            };
        };
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Connection successful */
                    "application/json": string;
                    /** @example Connection successful */
                    "text/plain": string;
                };
            };
            /**
             * @description It cannot: the cause, and what to do about it.
             *
             *     - `bad_request`: The request cannot be understood.
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the bucket’s name and the endpoint. */
                    "application/json": string;
                    /** @example Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the bucket’s name and the endpoint. */
                    "text/plain": string;
                };
            };
            401: components["responses"]["SentenceUnauthenticatedOrTokenInvalid"];
            403: components["responses"]["SentenceForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["SentenceBodyTooLarge"];
            415: components["responses"]["SentenceUnsupportedMediaType"];
            422: components["responses"]["SentenceInvalidRequest"];
            429: components["responses"]["SentenceRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["SentenceInternalError"];
            503: components["responses"]["SentenceUnavailableOrIdentityUnavailable"];
        };
    };
    checkReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Where the bucket is and with what credentials it can be read. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://s3.example.org",
                 *       "region": "eu-central-1",
                 *       "bucket": "demo-field-trial",
                 *       "accessKey": "DEMOACCESSKEY",
                 *       "secretKey": "demo-secret-key-not-a-secret",
                 *       "selection": {
                 *         "prefix": "measurements/",
                 *         "exclude": [
                 *           "**\/.*"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "message": "Connection successful",
                     *       "steps": [
                     *         {
                     *           "name": "address",
                     *           "status": "passed",
                     *           "detail": "s3.example.org is 203.0.113.7",
                     *           "note": "address_resolved",
                     *           "values": {
                     *             "host": "s3.example.org",
                     *             "addresses": [
                     *               "203.0.113.7"
                     *             ]
                     *           },
                     *           "hint": "",
                     *           "code": null,
                     *           "milliseconds": 2
                     *         },
                     *         {
                     *           "name": "list",
                     *           "status": "passed",
                     *           "detail": "The bucket lists 24 objects",
                     *           "note": "objects_listed",
                     *           "values": {
                     *             "objects": 24
                     *           },
                     *           "hint": "",
                     *           "code": null,
                     *           "milliseconds": 9
                     *         }
                     *       ],
                     *       "policy": {
                     *         "Version": "2012-10-17",
                     *         "Statement": [
                     *           {
                     *             "Effect": "Allow",
                     *             "Action": [
                     *               "s3:ListBucket"
                     *             ],
                     *             "Resource": [
                     *               "arn:aws:s3:::demo-field-trial"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                    /**
                     * @example event: step
                     *     data: {"name":"address","status":"passed","detail":"s3.example.org is 203.0.113.7","note":"address_resolved","values":{"host":"s3.example.org","addresses":["203.0.113.7"]},"hint":"","code":null,"milliseconds":2}
                     *
                     *     event: report
                     *     data: {"ok":true,"message":"Connection successful","steps":[{"name":"address","status":"passed","detail":"s3.example.org is 203.0.113.7","note":"address_resolved","values":{"host":"s3.example.org","addresses":["203.0.113.7"]},"hint":"","code":null,"milliseconds":2},{"name":"list","status":"passed","detail":"The bucket lists 24 objects","note":"objects_listed","values":{"objects":24},"hint":"","code":null,"milliseconds":9}],"policy":{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:ListBucket"],"Resource":["arn:aws:s3:::demo-field-trial"]}]}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bucket to be counted, and the dataset of which it would become the next version. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://s3.example.org",
                 *       "region": "eu-central-1",
                 *       "bucket": "demo-field-trial",
                 *       "accessKey": "DEMOACCESSKEY",
                 *       "secretKey": "demo-secret-key-not-a-secret",
                 *       "selection": {
                 *         "prefix": "measurements/",
                 *         "exclude": [
                 *           "**\/.*"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            /** @description What was counted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "complete": true,
                     *       "objects": 24,
                     *       "bytes": 2043512,
                     *       "leftOut": {
                     *         "objects": 0,
                     *         "bytes": 0
                     *       },
                     *       "largest": [
                     *         {
                     *           "key": "measurements/plot-01.csv",
                     *           "bytes": 85146
                     *         }
                     *       ],
                     *       "folders": [
                     *         {
                     *           "path": "measurements/",
                     *           "objects": 24,
                     *           "bytes": 2043512,
                     *           "leftOut": {
                     *             "objects": 0,
                     *             "bytes": 0
                     *           },
                     *           "foldersComplete": true
                     *         }
                     *       ],
                     *       "foldersComplete": true,
                     *       "types": [
                     *         {
                     *           "extension": "csv",
                     *           "objects": 24,
                     *           "bytes": 2043512
                     *         }
                     *       ],
                     *       "unreadableStorageClasses": [],
                     *       "renamed": [],
                     *       "renamedTotal": 0,
                     *       "fits": true,
                     *       "room": 812000000000,
                     *       "estimatedSeconds": 1,
                     *       "notes": [
                     *         "Older versions, tags and access rules of objects are not taken."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `invalid_request`: The request has faults.
             *     - `source_timeout`: The check of the bucket took too long.
             *     - `address_unresolvable`: The endpoint’s name does not resolve.
             *     - `name_lookup_failed`: The endpoint’s name could not be looked up.
             *     - `address_refused`: The endpoint’s address is not allowed here.
             *     - `connection_refused`: Nothing listens at the endpoint.
             *     - `connection_timeout`: The endpoint does not answer.
             *     - `connection_reset`: The connection broke.
             *     - `network_unreachable`: There is no route to the endpoint.
             *     - `tls_untrusted`: The endpoint’s certificate is not trusted.
             *     - `tls_expired`: The endpoint’s certificate has expired.
             *     - `tls_wrong_host`: The endpoint’s certificate is for another name.
             *     - `tls_not_spoken`: The endpoint does not speak TLS on this port.
             *     - `tls_expected`: The endpoint wants TLS on this port.
             *     - `not_s3`: What answers at the endpoint is no S3 server.
             *     - `redirected`: The server sends callers elsewhere.
             *     - `wrong_region`: The bucket lies in another region.
             *     - `clock_skewed`: The clocks of the service and the storage differ too much.
             *     - `access_key_unknown`: The server does not know this access key.
             *     - `secret_key_wrong`: The secret key does not fit the access key.
             *     - `credentials_expired`: The credentials have expired or were suspended.
             *     - `anonymous_denied`: The bucket is not open to everyone.
             *     - `bucket_missing`: The bucket does not exist on this server.
             *     - `list_denied`: These credentials may not list the bucket.
             *     - `read_denied`: These credentials may not read the bucket’s objects.
             *     - `slow_down`: The server asks to slow down.
             *     - `source_error`: The server reports a fault of its own.
             *     - `source_refused`: The server refuses the request.
             *     - `credentials_rejected`: The server does not accept the credentials any more.
             *     - `source_unreachable`: The source cannot be reached.
             *     - `source_changed`: The bucket is no longer where it was submitted from.
             *     - `source_blocked`: This service itself cannot reach the source.
             *     - `listing_invalid`: The server’s listing is contradictory or incomplete.
             *     - `key_too_long`: A key in the bucket is longer than S3 allows.
             *     - `listing_loop`: The server’s listing never ends.
             */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    uploadS3: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `true` to submit again what an identical request has just submitted.
                 * @example true
                 */
                "accession-repeat"?: "true" | "false";
                /**
                 * @description Requests of the same key and content are one submission, for 30 days.
                 * @example experiment-2026-11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A bucket to be taken in. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "title": "Soil moisture of 24 wheat plots",
                 *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                 *         "authors": [
                 *           {
                 *             "role": "Creator",
                 *             "firstName": "Josiah",
                 *             "lastName": "Carberry",
                 *             "orcid": "0000-0002-1825-0097"
                 *           }
                 *         ],
                 *         "language": "en",
                 *         "subjects": [
                 *           "wheat",
                 *           "irrigation"
                 *         ],
                 *         "license": "CC-BY-4.0"
                 *       },
                 *       "s3Access": {
                 *         "endpoint": "https://s3.example.org",
                 *         "region": "eu-central-1",
                 *         "bucket": "demo-field-trial",
                 *         "accessKey": "DEMOACCESSKEY",
                 *         "secretKey": "demo-secret-key-not-a-secret"
                 *       },
                 *       "selection": {
                 *         "prefix": "measurements/",
                 *         "exclude": [
                 *           "**\/.*"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UploadRequest"];
                /**
                 * @example {
                 *       "metadata": {
                 *         "title": "Soil moisture of 24 wheat plots",
                 *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                 *         "authors": [
                 *           {
                 *             "role": "Creator",
                 *             "firstName": "Josiah",
                 *             "lastName": "Carberry",
                 *             "orcid": "0000-0002-1825-0097"
                 *           }
                 *         ],
                 *         "language": "en",
                 *         "subjects": [
                 *           "wheat",
                 *           "irrigation"
                 *         ],
                 *         "license": "CC-BY-4.0"
                 *       },
                 *       "s3Access": {
                 *         "endpoint": "https://s3.example.org",
                 *         "region": "eu-central-1",
                 *         "bucket": "demo-field-trial",
                 *         "accessKey": "DEMOACCESSKEY",
                 *         "secretKey": "demo-secret-key-not-a-secret"
                 *       },
                 *       "selection": {
                 *         "prefix": "measurements/",
                 *         "exclude": [
                 *           "**\/.*"
                 *         ]
                 *       }
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadRequest"];
            };
        };
        responses: {
            /** @description The submission was accepted, or an earlier request with the same key or content created it. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "status": "accepted",
                     *       "attempt": 1,
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "owner": "josiah",
                     *       "createdAt": "2026-11-02T08:30:00.000Z",
                     *       "updatedAt": "2026-11-02T08:30:00.000Z",
                     *       "finishedAt": null,
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "source": {
                     *         "endpoint": "https://s3.example.org",
                     *         "region": "eu-central-1",
                     *         "bucket": "demo-field-trial",
                     *         "selection": {
                     *           "prefix": "measurements/",
                     *           "exclude": [
                     *             "**\/.*"
                     *           ]
                     *         }
                     *       },
                     *       "progress": {
                     *         "listingComplete": false,
                     *         "objectsListed": 0,
                     *         "bytesListed": 0,
                     *         "objectsStored": 0,
                     *         "bytesStored": 0,
                     *         "objectsFailed": 0,
                     *         "objectsExcluded": 0,
                     *         "bytesPerSecond": null,
                     *         "secondsLeft": null,
                     *         "stalled": null
                     *       },
                     *       "waiting": null,
                     *       "failure": null,
                     *       "drift": [],
                     *       "target": {
                     *         "id": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1
                     *       },
                     *       "dataset": null,
                     *       "sourceMayBeDeleted": null,
                     *       "statement": null,
                     *       "withdrawn": null,
                     *       "warnings": [],
                     *       "links": {
                     *         "self": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "files": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/files",
                     *         "events": "/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrMalformedMultipart"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Pages from this origin may not call this service.
             *     - `foreign_host`: The service was called under a name that is not its own.
             *     - `forbidden`: Your role does not allow this.
             *     - `quota_exceeded`: This is more than your quota allows.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `idempotency_conflict`: This Idempotency-Key was used for another request.
             *     - `dataset_busy`: Another submission of this dataset is open.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `dataset_withdrawn`: The dataset was withdrawn. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `invalid_request`: The request has faults.
             *     - `source_check_failed`: The bucket cannot be taken in.
             *     - `source_timeout`: The check of the bucket took too long.
             *     - `source_empty`: There is nothing to take in.
             */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    validate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the dataset is and who made it: at most 4 MiB as compact JSON in UTF-8. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Soil moisture of 24 wheat plots",
                 *       "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                 *       "authors": [
                 *         {
                 *           "role": "Creator",
                 *           "firstName": "Josiah",
                 *           "lastName": "Carberry",
                 *           "orcid": "0000-0002-1825-0097"
                 *         }
                 *       ],
                 *       "language": "en",
                 *       "subjects": [
                 *         "wheat",
                 *         "irrigation"
                 *       ],
                 *       "license": "CC-BY-4.0"
                 *     }
                 */
                "application/json": components["schemas"]["Metadata"];
            };
        };
        responses: {
            /** @description What the rules say. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "errors": [],
                     *       "warnings": [],
                     *       "normalized": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry",
                     *             "orcid": "0000-0002-1825-0097"
                     *           }
                     *         ],
                     *         "language": "en",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": {
                     *           "spdx": "CC-BY-4.0",
                     *           "name": "Creative Commons Attribution 4.0 International"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "1f0a7c1d-52b6-4d0c-9a53-0c5b7e2d9f83",
                     *         "name": "josiah",
                     *         "role": "submitter",
                     *         "createdAt": "2026-11-01T12:00:00.000Z",
                     *         "expiresAt": "2027-11-01T12:00:00.000Z",
                     *         "lastUsedAt": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Token"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description - `no_tokens_here`: Nobody signs in here with tokens of this service. */
            501: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description For whom a token is, and what they may do. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "josiah",
                 *       "role": "submitter"
                 *     }
                 */
                "application/json": components["schemas"]["NewTokenRequest"];
            };
        };
        responses: {
            /** @description The token, this once. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1f0a7c1d-52b6-4d0c-9a53-0c5b7e2d9f83",
                     *       "name": "josiah",
                     *       "role": "submitter",
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "expiresAt": "2027-11-01T12:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "token": "acc_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                     *     }
                     */
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description - `no_tokens_here`: Nobody signs in here with tokens of this service. */
            501: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the token, not the token itself.
                 * @example 1f0a7c1d-52b6-4d0c-9a53-0c5b7e2d9f83
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is not valid any more. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `last_admin`: This is the last token of an admin. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description - `no_tokens_here`: Nobody signs in here with tokens of this service. */
            501: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *         "url": "https://lab.example.org/accession",
                     *         "format": "json",
                     *         "events": null,
                     *         "submission": null,
                     *         "owner": "josiah",
                     *         "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *         "oldKeysUntil": null,
                     *         "createdAt": "2026-11-01T12:00:00.000Z",
                     *         "deliveredAt": "2026-11-02T08:30:04.900Z",
                     *         "disabledAt": null,
                     *         "disabledBecause": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who is to be told, and of what. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://lab.example.org/accession",
                 *       "format": "json"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook, and this once its secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *       "url": "https://lab.example.org/accession",
                     *       "format": "json",
                     *       "events": null,
                     *       "submission": null,
                     *       "owner": "josiah",
                     *       "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *       "oldKeysUntil": null,
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "deliveredAt": null,
                     *       "disabledAt": null,
                     *       "disabledBecause": null,
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `too_many_webhooks`: There are as many webhooks as there may be. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it stands. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *       "url": "https://lab.example.org/accession",
                     *       "format": "json",
                     *       "events": null,
                     *       "submission": null,
                     *       "owner": "josiah",
                     *       "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *       "oldKeysUntil": null,
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "deliveredAt": "2026-11-02T08:30:04.900Z",
                     *       "disabledAt": null,
                     *       "disabledBecause": null
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is told of nothing any more. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Changes to a webhook. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "completed",
                 *         "failed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *       "url": "https://lab.example.org/accession",
                     *       "format": "json",
                     *       "events": null,
                     *       "submission": null,
                     *       "owner": "josiah",
                     *       "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *       "oldKeysUntil": null,
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "deliveredAt": "2026-11-02T08:30:04.900Z",
                     *       "disabledAt": null,
                     *       "disabledBecause": null
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /**
                 * @description Most entries of a page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only deliveries of this status.
                 * @example delivered
                 */
                status?: "pending" | "delivered" | "given_up";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24",
                     *         "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *         "event": 9,
                     *         "type": "completed",
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "createdAt": "2026-11-02T08:30:04.100Z",
                     *         "attemptedAt": "2026-11-02T08:30:04.900Z",
                     *         "nextAttemptAt": null,
                     *         "answer": 204,
                     *         "error": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Delivery"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the delivery.
                 * @example 5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24
                 */
                delivery: string;
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is tried again. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24",
                     *       "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *       "event": 9,
                     *       "type": "completed",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "attemptedAt": "2026-11-02T08:30:04.900Z",
                     *       "nextAttemptAt": "2026-11-03T10:00:00.000Z",
                     *       "answer": 204,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `webhook_disabled`: The webhook is disabled. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is told again. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *       "url": "https://lab.example.org/accession",
                     *       "format": "json",
                     *       "events": null,
                     *       "submission": null,
                     *       "owner": "josiah",
                     *       "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *       "oldKeysUntil": null,
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "deliveredAt": "2026-11-02T08:30:04.900Z",
                     *       "disabledAt": null,
                     *       "disabledBecause": null
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, and this once its new secret. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                     *       "url": "https://lab.example.org/accession",
                     *       "format": "json",
                     *       "events": null,
                     *       "submission": null,
                     *       "owner": "josiah",
                     *       "publicKey": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                     *       "oldKeysUntil": null,
                     *       "createdAt": "2026-11-01T12:00:00.000Z",
                     *       "deliveredAt": null,
                     *       "disabledAt": null,
                     *       "disabledBecause": null,
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is sent. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24",
                     *       "submission": null,
                     *       "event": null,
                     *       "type": "test",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "attemptedAt": null,
                     *       "nextAttemptAt": "2026-11-02T08:30:04.100Z",
                     *       "answer": null,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `webhook_disabled`: The webhook is disabled. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    submissionEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the delivery, the same at each attempt.
                 * @example 5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24
                 */
                "webhook-id": string;
                /**
                 * @description Signatures of “id.timestamp.body”, separated by spaces: `v1,` (HMAC-SHA-256) and `v1a,` (Ed25519) by each key.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhq
                 */
                "webhook-signature": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1793608204
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "specversion": "1.0",
                 *       "id": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/9",
                 *       "source": "https://archive.example.org",
                 *       "type": "submission.completed",
                 *       "subject": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                 *       "time": "2026-11-02T08:30:04.100Z",
                 *       "datacontenttype": "application/json",
                 *       "data": {
                 *         "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                 *         "event": 9,
                 *         "attempt": 1,
                 *         "title": "Soil moisture of 24 wheat plots",
                 *         "message": "The dataset is archived: 24 objects, 1.9 MiB",
                 *         "details": {
                 *           "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                 *           "version": 1
                 *         },
                 *         "links": {
                 *           "submission": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                 *           "event": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events?after=8&limit=1",
                 *           "receipt": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/receipt",
                 *           "dataset": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02"
                 *         }
                 *       }
                 *     }
                 */
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
                /**
                 * @example {
                 *       "type": "submission.completed",
                 *       "timestamp": "2026-11-02T08:30:04.100Z",
                 *       "data": {
                 *         "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                 *         "event": 9,
                 *         "attempt": 1,
                 *         "title": "Soil moisture of 24 wheat plots",
                 *         "message": "The dataset is archived: 24 objects, 1.9 MiB",
                 *         "details": {
                 *           "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                 *           "version": 1
                 *         },
                 *         "links": {
                 *           "submission": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                 *           "event": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/events?after=8&limit=1",
                 *           "receipt": "https://archive.example.org/submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11/receipt",
                 *           "dataset": "https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Notice"];
            };
        };
        responses: {
            /** @description It is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is tried again; `Retry-After` is heeded, up to an hour. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the delivery, the same at each attempt.
                 * @example 5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24
                 */
                "webhook-id": string;
                /**
                 * @description Signatures of “id.timestamp.body”, separated by spaces: `v1,` (HMAC-SHA-256) and `v1a,` (Ed25519) by each key.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhq
                 */
                "webhook-signature": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1793608204
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "specversion": "1.0",
                 *       "id": "5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24",
                 *       "source": "https://archive.example.org",
                 *       "type": "webhook.test",
                 *       "subject": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                 *       "time": "2026-11-02T08:30:04.100Z",
                 *       "datacontenttype": "application/json",
                 *       "data": {
                 *         "webhook": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                 *         "message": "This is a test delivery",
                 *         "links": {
                 *           "webhook": "https://archive.example.org/webhook/c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13"
                 *         }
                 *       }
                 *     }
                 */
                "application/cloudevents+json": components["schemas"]["TestCloudEvent"];
                /**
                 * @example {
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-11-02T08:30:04.100Z",
                 *       "data": {
                 *         "webhook": "c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13",
                 *         "message": "This is a test delivery",
                 *         "links": {
                 *           "webhook": "https://archive.example.org/webhook/c3a1f0d2-7c5e-4b7a-8a55-0d9b2f4e6a13"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestNotice"];
            };
        };
        responses: {
            /** @description It is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is not sent again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
