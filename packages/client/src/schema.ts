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
         * Retrieve the public keys of receipts
         * @description Returns the current and the retired keys. The `kid` of a receipt names its key.
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
    "/account/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the choice about e-mail
         * @description Returns in which language the caller receives e-mail, about which events, and at which address. The choice belongs to the account (`owner` of `GET /caller`), and applies to e-mail to its addresses, not to addresses that the operator has configured.
         */
        get: operations["getMailPreference"];
        /**
         * Choose language and events of e-mail
         * @description Replaces the choice of the caller. The choice belongs to the account (`owner` of `GET /caller`), and applies to e-mail to its addresses, not to addresses that the operator has configured.
         */
        put: operations["setMailPreference"];
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
         * Retrieve the caller
         * @description Returns the owner name and the roles of the authenticated caller. Without sign-in, every caller is `local` and has all roles.
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
    "/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List collections
         * @description Returns all collections, by their English names. No authentication is needed; curators and admins also see who curates them. Browsers get a page as HTML.
         */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a collection
         * @description Returns a collection. `ETag` identifies the state of the collection itself, without its datasets, for `If-Match`. No authentication is needed; curators and admins also see who curates it. Browsers get a page as HTML, which takes the parameters of `GET /datasets`.
         */
        get: operations["getCollection"];
        /**
         * Create or change a collection
         * @description Creates the collection, or replaces its name, description, curators and licences. Its datasets stay, also those with a licence that is no longer accepted. A change must name the `ETag` of the collection in `If-Match`; without the header, an existing collection is not changed. For admins.
         */
        put: operations["setCollection"];
        post?: never;
        /**
         * Delete a collection
         * @description Deletes the collection with its page and its set for harvesters. Its datasets stay published. The deletion of a large collection takes a while; if the request is interrupted, repeat it. For admins.
         */
        delete: operations["deleteCollection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{id}/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the datasets of a collection
         * @description Returns the published datasets of the collection that a search finds, as `GET /datasets?collection={id}`. No authentication is needed.
         */
        get: operations["searchCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{id}/datasets/{dataset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a dataset to a collection
         * @description Adds a published dataset, of which the newest published version must have a licence that the collection accepts. Repeating the request has no further effect. For the curators of the collection and admins.
         */
        put: operations["addToCollection"];
        post?: never;
        /**
         * Remove a dataset from a collection
         * @description Removes a dataset, which stays published. Repeating the request has no further effect. For the owner of the dataset, the curators of the collection and admins.
         */
        delete: operations["removeFromCollection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/curator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List known curators
         * @description Returns the accounts that can review datasets, by name: those with a valid token of a curator or admin, or, with an identity provider, those that had one of these roles when they last signed in. Reviews can be assigned to these accounts only. For curators and admins.
         */
        get: operations["listCurators"];
        put?: never;
        post?: never;
        /**
         * Remove a known curator
         * @description Removes an account of an identity provider from the known curators, for example because the provider has deleted it: the service does not learn of that. Reviews that are assigned to it return to the queue `new`. If the account signs in again with the role, it is known again. Answers 404 for accounts that are not known, and for those with a token of this service: revoke the token instead. For admins.
         */
        delete: operations["removeCurator"];
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
         * @description Returns the datasets that the caller may see, newest first, each with its latest version. Withdrawn datasets are included and have `withdrawn`. Entries have a limited size, and a page can have fewer than `limit` of them.
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
         * Retrieve a dataset
         * @description If `Accept` names a media type of a metadata format of `/dataset/{id}/export/{format}`, the response has that format. Otherwise it is JSON. Browsers get the landing page of a published dataset as HTML. For other datasets, a request that prefers HTML is redirected to the web page if it has a token or the service has no sign-in; otherwise the response is 404. `Link` contains the FAIR Signposting relations.
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
    "/dataset/{id}/access-grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List grants of access
         * @description Returns the grants of a dataset, newest first, also those that have ended. For owner and curators.
         */
        get: operations["listAccessGrants"];
        put?: never;
        /**
         * Grant access to closed files
         * @description Opens the files of a published version with restricted access or under embargo to a person, or to all who have a link. Versions that are not published stay closed. For owner and curators. The secret of a link is returned only once; the service stores its digest.
         */
        post: operations["grantAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/access-grant/{grant}": {
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
         * Revoke a grant of access
         * @description Ends a grant at once. Running downloads with it end within seconds. Repeating the request has no effect. For owner and curators.
         */
        delete: operations["revokeAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/access-grant/{grant}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was read with a grant
         * @description Returns the files, folders and packages that were read with a grant, last used first. Entries are deleted a year after their last use; `uses` of the grant still counts them. For owner and curators.
         */
        get: operations["listAccessGrantUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/access-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests for access
         * @description Returns the requests for access to a dataset, newest first: to owner and curators all of them, and to other signed-in people their own, with the answers.
         */
        get: operations["listAccessRequests"];
        put?: never;
        /**
         * Ask for access to closed files
         * @description Asks the owner for access to the files of a published version, with a reason. Callers without a token state their name and e-mail address. A person has at most one open request for a dataset; repeating the request has no effect, and the response does not tell. Owner and curators see the request, and it is deleted a year after the answer.
         */
        post: operations["requestAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/access-request/{request}/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant a request for access
         * @description Grants access to the person of a request, or creates a link for them, which is returned only once. For owner and curators.
         */
        post: operations["grantAccessRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/access-request/{request}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a request for access
         * @description Refuses a request for access. Repeating the request has no effect. For owner and curators.
         */
        post: operations["refuseAccessRequest"];
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
         * Create a download link
         * @description For web pages: a browser saves large files from an address only, and addresses must not contain tokens. The link works once, within one minute, while the token or the grant of the caller is valid. It grants access to the requested file, folder or package with the permissions of the caller.
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
         * @description `ro-crate` and `bagit` return a ZIP archive with all files, created during the download. The other formats return metadata. `GET /dataset/{id}` returns the metadata formats too, if `Accept` names their media type.
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
    "/dataset/{id}/field-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the additional metadata fields of a dataset
         * @description The groups that have values in the newest metadata of the version, as they were defined when the values were archived. The current definition can differ.
         */
        get: operations["listFieldGroupsOfDataset"];
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
         * @description Returns files that Accession created, then objects in the order of the listing. As `text/csv`, all files are returned unless `limit` is given. A page with very long names can have fewer entries than `limit`.
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
         * Download a file or a folder
         * @description The path is a path from the list of files, or a folder of such paths, with each segment percent-encoded. For files, `Range`, `If-Range`, `If-Match` and `If-None-Match` are supported, and `Repr-Digest` contains the SHA-512 of the whole file. A folder is returned as a ZIP archive, in which files have their full paths. If the content does not match its digest, the service aborts the response.
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
         * Retrieve the linkset of a dataset
         * @description Returns a linkset (RFC 9264) with the FAIR Signposting relations of the page, of the metadata documents and of the files. If `Accept` prefers `application/linkset`, it has the form of a `Link` header.
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
    "/dataset/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the metadata of a dataset
         * @description `ETag` identifies the state of the metadata. A change must name it in `If-Match`.
         */
        get: operations["getMetadata"];
        /**
         * Change the metadata of a dataset
         * @description Replaces the metadata of the latest version, without changing its files. For the owner, curators and admins. Earlier versions keep their metadata, because a revision is the newest state of the archived object. The archive keeps all earlier metadata. `If-Match` must have the `ETag` of the metadata that the caller has seen, so that no change of another user is overwritten. Repeating the request has no effect: if the metadata are the current ones, nothing changes, and the note is not recorded.
         */
        put: operations["changeMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/page/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the list of files for the web page
         * @description Returns a part of the list of files, and the README of the folder, as HTML, for the web page of this service. Programs use `GET /dataset/{id}/files`. Without access to the files, it states their number and size.
         */
        get: operations["getFilesPart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the publication of a version
         * @description Returns the state of the publication, who must act next, the findings of the automatic checks, and the history. For a published version, the public sees state, identifier and access.
         */
        get: operations["getPublication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication-record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the publication record
         * @description Returns the newest publication record of a version as a compact JWS (EdDSA). It states the identifier, the access, and the SHA-512 of the inventory that has the digest of each file. The public keys are at `/.well-known/jwks.json`.
         */
        get: operations["getPublicationRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve publication
         * @description Approves the present metadata and files for publication: exactly the state that `If-Match` names. For curators, who cannot approve their own datasets and edits unless the operator allows it. With `If-Match`, which is mandatory, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["approvePublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign the review
         * @description Assigns the review to a curator, or removes the assignment. If accounts have tokens of this service, the account must have one of a curator or admin. For curators. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["assignPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/change-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the access to files
         * @description Changes who may read the files of a version that is published or being registered: ends or extends an embargo, restricts or opens the access. For owner and curators. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["changePublicationAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on a publication
         * @description Adds a comment about the dataset, a metadata field or a file. For owner and curators, who see all comments. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["commentPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline publication
         * @description Declines publication with a comment. The dataset stays archived, and its owner can request publication again. For curators. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["declinePublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an approved version
         * @description Starts publication of an approved version: the service registers the identifier and then publishes the version. While a registration is delayed, the request makes the service try again at once. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request publication
         * @description Requests publication of a version, for its owner. The dataset needs a licence, and the owner accepts the deposit agreement (`GET /deposit-agreement`). With review, curators see it in their queue; without review, it is published. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["requestPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/request-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request changes
         * @description Returns the dataset to its owner with a comment. The owner changes it and requests publication again. For curators. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["requestPublicationChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/reserve-doi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve a DOI
         * @description Reserves a DOI for a version that is not published, for its owner, for example to cite it in a manuscript. DataCite keeps it as a draft, and it resolves after publication. A version that has a DOI keeps it. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["reserveDoi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a comment
         * @description Marks a comment as resolved, or as open again. Open comments do not prevent approval. For owner and curators. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["resolvePublicationComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a request for publication back
         * @description Ends a review, takes an approval back, or ends a registration, so that the dataset is private again. If a DOI had become public meanwhile, DataCite hides it, and it leads to a notice. For the owner; curators can take approvals and registrations back. With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["takeBackPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/publication/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a version
         * @description Withdraws the publication of a version that is published or being registered, so that it is no longer public. Its identifier then leads to a page with title, authors, dates and reason. The archive keeps the files for the owner and curators. For curators; during a registration also for the owner. To delete content from the archive, an admin withdraws the dataset (`POST /dataset/{id}/withdraw`). With `If-Match`, the action fails if the publication or the metadata have changed. A repeated request has no further effect.
         */
        post: operations["withdrawPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/reviewer-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reviewer links of a dataset
         * @description Returns the links of all versions with their visits, newest first, also those that have ended. For the owner, curators and admins.
         */
        get: operations["listReviewerLinks"];
        put?: never;
        /**
         * Create a reviewer link
         * @description Creates a link with which people without an account read one version of the dataset for a limited time, in every state of its publication except `withdrawn`. For the owner, curators and admins. For an anonymous link, `findings` names what can still tell who made the dataset.
         */
        post: operations["createReviewerLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/reviewer-link/{link}": {
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
         * Revoke a reviewer link
         * @description The link and all downloads with it end at once. Repeating the request has no effect.
         */
        delete: operations["revokeReviewerLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the metadata revisions of a version
         * @description Newest first. Revision 1 has the metadata of the submission.
         */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/unpacking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find names that are not possible on every system
         * @description Returns the files that Windows, macOS or a common file system rename, overwrite or do not create when a package is unpacked.
         */
        get: operations["getUnpacking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the usage statistics of a dataset
         * @description Returns how often a published dataset was used, by month and in total, by the rules of COUNTER R5.1 (docs/usage-statistics.md). Uses are counted after a few seconds.
         */
        get: operations["getDatasetUsage"];
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
         * @description Returns all versions, newest first. Each version was created by one submission.
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
         * @description Withdraws a dataset: permanently deletes its content from the archive, with all versions. For admins. After the response, requests for the dataset return 410 and its tombstone, and the identifiers of published versions lead to a page with title, authors, dates and reason. `removedAt` states when the content was deleted. Repeating the request has no effect. To end only the publication of a version, and keep its files, use `POST /dataset/{id}/publication/withdraw`.
         */
        post: operations["withdrawDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search published datasets
         * @description Returns the published datasets that a search finds, each with its newest published version. No authentication is needed. Parameters that can have several values are repeated (`year=2025&year=2026`): values of one parameter are alternatives, and all parameters must apply.
         */
        get: operations["searchDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit-agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the deposit agreement
         * @description Returns the text that owners accept when they request publication, in each language of the service. No authentication is needed.
         */
        get: operations["getDepositAgreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered DOIs
         * @description Returns the registered DOIs of this service with the result of the last comparison with DataCite, which runs daily. For curators and admins.
         */
        get: operations["listDois"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doi/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare DOIs with DataCite
         * @description Queues a comparison of all registered DOIs, or of those of a dataset. With `repair`, differences are corrected: metadata and address are sent again, and hidden DOIs are made findable. For admins. `GET /doi?different=true` shows the progress and the result.
         */
        post: operations["checkDois"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doi/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the DataCite account
         * @description Tests whether the service can register DOIs: credentials, domains and prefix of the DataCite account. It creates a draft, which is not public, and deletes it. The service runs the same test when it starts. For admins.
         */
        post: operations["testDoiAccount"];
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
         * Download with a link
         * @description Returns the content of a download link, once, within a minute after its creation. No authentication is needed: the link acts with the permissions of the caller who created it.
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
    "/field-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the additional metadata fields
         * @description Fields that the operator has defined beside those of this documentation. Their values are the member `fields` of the metadata: one object for each group. No authentication is needed.
         */
        get: operations["listFieldGroups"];
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
         * Check that the process responds
         * @description If the probe fails, restart the process.
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
         * Check that the service is ready
         * @description Returns 503 while the service starts or stops, if the database does not respond, or if the archive is not the one that the service opened, for example because its file system is not mounted.
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
    "/metadata/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read metadata files
         * @description Suggests values for the metadata from files, such as `CITATION.cff` and `datacite.json`. Nothing is stored. A file that cannot be read does not prevent the others. The files and the fields that they fill are listed in docs/import.md.
         */
        post: operations["importMetadataFiles"];
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
         * Retrieve metrics for Prometheus
         * @description Returns the metrics of the service. They never contain an owner, title, bucket or endpoint.
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
         * Retrieve the API description
         * @description Returns the OpenAPI document of this service. The page at `/docs` displays it.
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
    "/publication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List publications
         * @description Returns the publications that the caller may see, by default those first that have waited longest in their state. Curators see those of all owners.
         */
        get: operations["listPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/publication-queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits for an action
         * @description Returns how many publications the parts of `GET /publication` have: for curators those of all owners, for others their own.
         */
        get: operations["countQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reply-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reply templates
         * @description Returns the texts that the operator has prepared for comments of curators, in the order and in the languages of the setting `ACCESSION_REPLY_TEMPLATES`. A curator inserts one into a comment and completes it. For curators and admins.
         */
        get: operations["listReplyTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a dataset under review
         * @description Returns the version that the reviewer link opens. The secret of the link is sent as a bearer token. An anonymous view contains no people, institutions, funders, identifiers and ids. Each request without `continued` counts as a visit.
         */
        get: operations["getReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/download-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a download link for a reviewer
         * @description As `POST /dataset/{id}/download-link`, for what the reviewer link opens: a file, or without `path` all files as a ZIP archive. The link works once, within one minute, while the reviewer link can be used.
         */
        post: operations["createReviewDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a dataset under review
         * @description An anonymous view contains files of the bucket only, without those that describe the dataset, such as README and CITATION.cff.
         */
        get: operations["listReviewFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a dataset under review
         * @description As `GET /dataset/{id}/files/{path}`, for a path from the list of files. In an anonymous view, the media type is always `application/octet-stream`.
         */
        get: operations["getReviewFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all files of a dataset under review
         * @description A ZIP archive with the files of `GET /review/files` under their paths, created during the download.
         */
        get: operations["getReviewZip"];
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
         * Retrieve service information
         * @description Returns what clients need before sign-in: the version, the sign-in method and the available features. No authentication is needed.
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
         * @description Returns the submissions that the caller may see, newest first by default. Entries have a limited size, and a page can have fewer than `limit` of them.
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
         * Retrieve a submission
         * @description Returns the submission with its progress. The response never contains an access key or a secret key.
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
         * @description Stops the submission and deletes its stored content. Cancellation cannot be undone.
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
         * Update the credentials of a submission
         * @description The service checks the new credentials before it stores them. Endpoint and bucket cannot be changed.
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
         * List or stream the events of a submission
         * @description With `Accept: text/event-stream`, the response is a live stream that supports `Last-Event-ID`. Between the events, the stream sends the progress of the submission as events named `progress`, which have no id.
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
         * Exclude unreadable objects
         * @description For a submission that waits with `objects_unreadable`. The submission continues once all unreadable objects are excluded.
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
         * @description Returns files in the order of the listing. As `text/csv`, all files are returned unless `limit` is given. A page with very long names can have fewer entries than `limit`.
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
    "/submission/{id}/missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the missing files of a submission
         * @description Returns the files of the digest lists that the source did not have when it was listed, by key. The submission waits with `digest_files_missing`. As `text/csv`, all files are returned unless `limit` is given. The list is empty when the submission is over.
         */
        get: operations["listMissingFiles"];
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
         * Download the receipt
         * @description Returns the receipt as a compact JWS (EdDSA). The public keys are at `/.well-known/jwks.json`.
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
         * Retry a submission
         * @description Starts the next attempt of a waiting or failed submission. A failed submission needs `s3Access`, because its credentials were erased.
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
         * Check whether a title exists
         * @description Returns 200 if the caller already has a submission with this title. Clients can warn before a dataset is submitted twice.
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
    "/submission/publication/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the files of a dataset
         * @description Submits the files that the caller has sent with `POST /submission/upload/dataset`, with their metadata, like `POST /submission/upload/s3upload`. While files of the caller are arriving, the request waits for up to 20 seconds. Files of the caller that did not arrive completely are reported once (`upload_incomplete`), whatever their title. The service validates the metadata now; after an error, send the files again with correct metadata. A second request returns the same submission, with the header `Idempotent-Replayed: true`. Files that are sent later with the same title are a new upload, which becomes a new dataset.
         *
         *     The name is that of e!DAL-PGP: whether and when the archived dataset is published is decided as for every submission. The web client does not show errors of this request: the list of submissions has what was accepted.
         */
        post: operations["submitDatasetFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/dataset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a file of a dataset
         * @description Receives one file of a dataset from a multipart form, as the web client of e!DAL-PGP sends it in its local mode. The files of a caller with the same `title` in `metaData` are one upload, also if the requests arrive at the same time. `POST /submission/publication/publish` submits it. A file with the same path replaces the earlier one. A file is complete and durable when the response is sent.
         *
         *     The web client does not show errors. Therefore every file that does not arrive completely is remembered, also if the connection or the service breaks off: the next request to submit is refused, and names it. More than 16 requests of a caller at once wait for each other, and those beyond 80 are refused.
         *
         *     Other clients can resume files and state digests: see docs/how-to/uploads.md.
         */
        post: operations["uploadDatasetFile"];
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
         * Check a bucket
         * @description Returns one sentence as plain text, or as a JSON string if `Accept` prefers JSON. Errors of this operation are sentences too.
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
         * Check a bucket step by step
         * @description The response is a report even if members of the request are invalid or the bucket cannot be reached; `ok` tells whether the check succeeded. With `Accept: text/event-stream`, each step is sent as an event named `step` when it ends. The report follows as an event named `report`.
         */
        post: operations["checkReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submission/upload/s3metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read metadata files of a bucket
         * @description Lists the bucket for at most 10 seconds and reads metadata files, such as `CITATION.cff` and `datacite.json`, at the top level of the selected data: at most 10 files of at most 2 MiB each, in at most 20 seconds. Nothing is stored. A file that cannot be read does not prevent the others. The files and the fields that they fill are listed in docs/import.md.
         */
        post: operations["importBucketMetadata"];
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
         * Preview a submission
         * @description Lists the bucket for at most 10 seconds and counts the selected objects. Nothing is stored. With `digests`, or if the folder has the manifests of a bag, the response states which listed files are missing, and which objects no list names. With `dataset`, the response also compares the bucket with the latest version of that dataset.
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
         * @description Validates the metadata, checks the bucket and accepts the submission. The submission is durably stored before the response is sent. The service stores nothing from a rejected request. If the client disconnects after sending the whole request, the submission still proceeds.
         *
         *     Identical requests: a request without `Idempotency-Key` that is identical to an earlier one of the same owner (metadata, bucket, credentials, selection, dataset, e-mail address) returns the earlier submission, if that is still open or was accepted in the last ten minutes. The response then has the header `Idempotent-Replayed: true`. It creates a new submission if the earlier one failed or was cancelled, or if its dataset was withdrawn. `Accession-Repeat: true` always creates a new submission.
         *
         *     Forms: a multipart form has a part for each member, with a JSON text. `s3access` is accepted for `s3Access`.
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
         * Validate metadata
         * @description The body is the metadata, or an object with the metadata as its member `metadata`.
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
         * @description Returns all tokens, including expired ones, newest first. Secret texts are not returned.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a token
         * @description Creates a token and returns its secret text. The service stores only a digest of it.
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
         * @description Deletes the token. Requests with it are rejected from then on.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploads
         * @description Returns your uploads to which files can be added, newest first.
         */
        get: operations["listUploads"];
        put?: never;
        /**
         * Create an upload
         * @description Creates an empty upload. Any client of the tus protocol (https://tus.io) sends files to the address in `files`. When all are complete, submit the upload with `upload` instead of `s3Access`. Three days before an upload expires, its owner receives an e-mail: at the address in `notify`, otherwise at the one that the identity provider has verified. See docs/how-to/uploads.md.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an upload
         * @description Returns an upload of yours: how much has arrived, and when it expires.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * Delete an upload
         * @description Deletes an upload that was not submitted, with all its files. This cannot be undone.
         */
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Change an upload
         * @description Sets the address in `notify`, which receives an e-mail three days before the upload expires. Without `notify`, an upload of yours for which no address is known gets the one that your identity provider has verified. Does not postpone the expiry, unless an e-mail was due and was not sent, because no address was known or the mail server did not accept it: it is sent to the new address, and the upload is kept for three days from then.
         */
        patch: operations["updateUpload"];
        trace?: never;
    };
    "/uploads/{id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many small files
         * @description Adds small files to an upload in one request. The response has one line for each file, sent when the file is complete and durable, or refused. A file that the upload has already with the same content is acknowledged, too. Files that were acknowledged stay if the connection breaks: send the others again. A last line without `path` states why the batch ended early.
         */
        post: operations["sendUploadBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of an upload
         * @description Returns the files of an upload by path, with the bytes that have arrived, so that a client sends only the rest. With `parts=true`, returns the parts of files that were not joined instead.
         */
        get: operations["listUploadFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/files/{no}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of an uploaded file
         * @description Returns how much of a file has arrived. The headers are those of the tus protocol, whose clients ask with `HEAD` before they continue: `HEAD` ends a request that sends the file, and `GET` does not.
         */
        get: operations["getUploadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the usage statistics of all datasets
         * @description Returns how often all datasets that are or were published were used, in total, by month and by dataset, by the rules of COUNTER R5.1 (docs/usage-statistics.md). As `text/csv`, the lines of all datasets and months are returned unless `limit` is given.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vocabulary/{kind}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search a vocabulary
         * @description Returns entries of the vocabularies that the operator has imported, best match first: entries with exactly this name, acronym or identifier, names that begin with the query, then entries that contain all its words or words that begin with them. Case and diacritics are ignored. The list is empty if there is no vocabulary of this kind; see `vocabularies` of `GET /service`. The service sends the query to no other service. Clients that search while the user types should wait about 100 ms after each key and abort the previous request.
         */
        get: operations["searchVocabulary"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description Returns the webhooks of the caller, newest first. For admins, it returns all webhooks.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description The service sends events of submissions to the webhook, signed according to the Standard Webhooks specification. See docs/webhooks.md.
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
         * Retrieve a webhook
         * @description Returns the webhook without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook with its keys and deliveries. Deletion cannot be undone.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the event types of the webhook, for new events. Omitted members do not change.
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
         * @description Returns the deliveries of the last 30 days and all pending deliveries, newest first.
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
         * Replay a delivery
         * @description Sends the delivery again with the same id. The service retries it for another day.
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
         * Enable a disabled webhook
         * @description The webhook receives new events again. Failed deliveries can be replayed. Events that occurred while the webhook was disabled have no deliveries.
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
         * Rotate the keys of a webhook
         * @description Creates new keys. For one day, deliveries are signed with the old keys too. If a key is compromised, delete the webhook, which makes its keys invalid immediately.
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
         * @description Sends a signed event of type `webhook.test` once, regardless of the event types that the webhook subscribes to. The list of deliveries shows the response of the endpoint.
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
         * Event of a submission
         * @description A POST request to the `url` of a webhook. Each event is delivered at least once, and the events of a submission are delivered in order. A 2xx response within 15 seconds accepts the delivery, and 410 disables the webhook. After any other result, the delivery is retried for a day. See docs/webhooks.md.
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
         * Test delivery
         * @description A POST request to the `url` of a webhook, sent once after `POST /webhook/{id}/test`. It is signed like other deliveries.
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
        /**
         * AcceptedAgreement
         * @description The accepted deposit agreement.
         */
        AcceptedAgreement: {
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            at: string;
            /** @description Who accepted it. */
            by: string;
            /** @description Language of the text (BCP 47). */
            language: string;
            /** @description SHA-256 of the accepted text. */
            sha256: string;
        };
        /** AcceptedEvent */
        AcceptedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            /** @description The version that the submission creates; null for a new dataset. */
            data: components["schemas"]["VersionData"] | null;
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "accepted";
        };
        /**
         * AccessData
         * @description A grant of access to closed files, or a request for it. Names and addresses of people are not part of it.
         */
        AccessData: {
            /** @description Account that acted; null for a person without an account. */
            by: string | null;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /**
             * Format: uuid
             * @description Id of the grant.
             */
            grant?: string;
            /**
             * Format: uuid
             * @description Id of the request for access.
             */
            request?: string;
            /** @description Number of the version. */
            version: number;
        };
        /** AccessEvent */
        AccessEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["AccessData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "access_requested" | "access_granted" | "access_refused" | "access_revoked";
        };
        /**
         * AccessGrant
         * @description Access to the closed files of a published dataset.
         */
        AccessGrant: {
            /**
             * Format: date-time
             * @description Time of the grant.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Time at which it ends; null if it does not. */
            expiresAt: string | null;
            /** @description Time of the first use; null before it. */
            firstUsedAt: string | null;
            /** @description Who granted it. */
            grantedBy: string;
            /**
             * Format: uuid
             * @description Id of the grant.
             */
            id: string;
            /** @description Whether it opens files now. */
            inForce: boolean;
            kind: components["schemas"]["AccessGrantKind"];
            /** @description What the grant is for; can be empty. */
            note: string;
            /** @description Owner name or e-mail address; null for a link. */
            person: string | null;
            /** @description Time at which it was revoked; null if it was not. */
            revokedAt: string | null;
            /** @description Who revoked it. */
            revokedBy: string | null;
            /** @description Time of the last use; null before the first. */
            usedAt: string | null;
            /** @description How often it was used: the sum over what was read (`listAccessGrantUses`). */
            uses: number;
            /** @description Version whose files it opens; null for all published versions. */
            version: number | null;
        };
        /**
         * AccessGrantKind
         * @description `subject` (an account: the owner name, or the subject at the identity provider), `email` (the account whose address the identity provider has verified) or `link` (all who have the link).
         * @enum {unknown}
         */
        AccessGrantKind: "subject" | "email" | "link";
        /**
         * AccessGrantRequest
         * @description Access to grant.
         */
        AccessGrantRequest: {
            /** @description Whether the grant is for all published versions, also later ones. Default: false. */
            allVersions?: boolean;
            /** @description Time at which the access ends; null for never. Default: never for people, and in 90 days for a link, which can be valid for at most 366 days. */
            expiresAt?: string | null;
            kind: components["schemas"]["AccessGrantKind"];
            /** @description What the grant is for, for owner and curators. */
            note?: string;
            /** @description Owner name, OpenID subject or e-mail address; absent for a link. */
            person?: string;
        };
        /**
         * AccessGrantUse
         * @description What was read with a grant. It does not say by whom, or from where.
         */
        AccessGrantUse: {
            /**
             * Format: date-time
             * @description Time of the first request.
             */
            firstUsedAt: string;
            /**
             * @description `file`, `folder` (as a ZIP archive), `package` (all files as a ZIP archive), `view` (a list of files or a description, without files) or `other` (files and folders after the first 1,000 of a grant, counted together).
             * @enum {unknown}
             */
            kind: "view" | "file" | "folder" | "package" | "other";
            /**
             * Format: date-time
             * @description Time of the last request.
             */
            lastUsedAt: string;
            /** @description Path of the file or folder; null for the other kinds. */
            path: string | null;
            /** @description How often it was read. Requests for the same that follow each other within 30 seconds, such as the parts of a download, count once. */
            uses: number;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * AccessReminderData
         * @description A reminder of open requests for access.
         */
        AccessReminderData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Number of open requests. */
            open: number;
            /**
             * Format: date-time
             * @description Time of the oldest one.
             */
            since: string;
            /** @description Number of the version. */
            version: number;
        };
        /** AccessReminderEvent */
        AccessReminderEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["AccessReminderData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "access_reminder";
        };
        /**
         * AccessRequest
         * @description A request for access to closed files.
         */
        AccessRequest: {
            /** @description Owner name of the person; null without a token. */
            account: string | null;
            /** @description Answer to the person; can be empty. */
            answer: string;
            /**
             * Format: date-time
             * @description Time of the request.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Time of the answer. */
            decidedAt: string | null;
            /** @description Who answered; null for the person who asked. */
            decidedBy: string | null;
            /** @description E-mail address of the person. */
            email: string | null;
            /** @description Whether the identity provider has verified the address. Otherwise the person has only stated it. */
            emailVerified: boolean;
            /** @description Id of the grant; null for the person who asked. */
            grant: string | null;
            /**
             * Format: uuid
             * @description Id of the request.
             */
            id: string;
            /** @description Name that the person has stated. */
            name: string | null;
            /** @description What the person needs the files for. */
            reason: string;
            /**
             * @description Whether the request was answered, and how.
             * @enum {unknown}
             */
            state: "open" | "granted" | "refused";
            /** @description Number of the version. */
            version: number;
        };
        /**
         * AccessRequestBody
         * @description A request for access to closed files.
         */
        AccessRequestBody: {
            /** @description E-mail address of the person. Mandatory without a token. Ignored if the identity provider has verified one. */
            email?: string;
            /** @description Name of the person. Mandatory without a token. */
            name?: string;
            /** @description What the files are needed for; cannot be empty. */
            reason: string;
        };
        /**
         * AccessRequestGrant
         * @description How a request is granted.
         */
        AccessRequestGrant: {
            /** @description Whether the grant is for all published versions, also later ones. Default: false. */
            allVersions?: boolean;
            /** @description Answer to the person; default: empty. */
            answer?: string;
            /**
             * @description `person` (the account that asked; without one, the e-mail address) or `link`. Default: `person`, or `link` if the person has no account and the service cannot verify e-mail addresses.
             * @enum {unknown}
             */
            as?: "person" | "link";
            /** @description Time at which the access ends; null for never. Default: never for people, and in 90 days for a link, which can be valid for at most 366 days. */
            expiresAt?: string | null;
            /** @description What the grant is for, for owner and curators. */
            note?: string;
        };
        /**
         * AccessRequestReceived
         * @description The dataset for which access was requested.
         */
        AccessRequestReceived: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * AccessRequestRefusal
         * @description Why a request is refused.
         */
        AccessRequestRefusal: {
            /** @description Answer to the person; default: empty. */
            answer?: string;
        };
        /**
         * AccountTest
         * @description The result of a test of the DataCite account.
         */
        AccountTest: {
            /** @description Whether no step failed. */
            ok: boolean;
            /** @description The steps, in order. */
            steps: components["schemas"]["AccountTestStep"][];
        };
        /**
         * AccountTestStep
         * @description A step of the test of the DataCite account.
         */
        AccountTestStep: {
            /** @description Why the step failed, and the next step to correct it; null otherwise. */
            problem: components["schemas"]["PublicationProblem"] | null;
            /**
             * @description Result; `skipped` if an earlier step failed that this one needs.
             * @enum {unknown}
             */
            status: "ok" | "failed" | "skipped";
            /**
             * @description `credentials`: DataCite accepts the account and its password. `domain`: DOIs of the account may lead to this service. `prefix`: the prefix belongs to the account. `create_draft`, `delete_draft`: a draft can be created, and was deleted.
             * @enum {unknown}
             */
            step: "credentials" | "domain" | "prefix" | "create_draft" | "delete_draft";
        };
        /**
         * Affiliation
         * @description An institution to which an author belongs.
         */
        Affiliation: {
            /**
             * @description Name of the institution.
             * @example Brown University
             */
            name?: string;
            /**
             * @description ROR id of the institution, with or without `https://ror.org/`.
             * @example https://ror.org/05gq02987
             */
            rorid?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * AlternateIdentifier
         * @description An identifier of the same dataset elsewhere.
         */
        AlternateIdentifier: {
            /**
             * @description The identifier.
             * @example PRJEB12345
             */
            alternateIdentifier: string;
            /**
             * @description Kind of identifier.
             * @example ENA accession number
             */
            alternateIdentifierType?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * AnonymityFinding
         * @description What of an anonymous view can tell who made the dataset.
         */
        AnonymityFinding: {
            /**
             * @description `name`: a person, institution or funder of the metadata is named. `email`, `orcid`, `link`: such a text can lead to people. `excluded`: the file is excluded from the view.
             * @enum {unknown}
             */
            kind: "name" | "email" | "orcid" | "link" | "excluded";
            place: components["schemas"]["Place"];
            /** @description The name as the metadata state it, the passage, or the name of the file. */
            text: string;
        };
        /**
         * ApiDescription
         * @description The API description.
         */
        ApiDescription: {
            /** @description Version of the OpenAPI specification. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Audit
         * @description The last audit of a dataset, which re-reads its archived files.
         */
        Audit: {
            /**
             * Format: date-time
             * @description Time of the audit.
             */
            at: string;
            /** @description Number of bytes that were read. For the public: those of the version. */
            bytes: number;
            /** @description Number of files that were read. For the public: those of the version. */
            files: number;
            /** @description Defects; at most the first 100. Empty for the public. */
            findings: components["schemas"]["Finding"][];
            /** @description Whether the audit found no defect. */
            ok: boolean;
        };
        /**
         * AuditData
         * @description Extent of an audit.
         */
        AuditData: {
            /** @description Number of bytes that were read. */
            bytes: number;
            /** @description Number of files that were read. */
            files: number;
        };
        /** AuditFailedEvent */
        AuditFailedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["DamageData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "audit_failed";
        };
        /** AuditPassedEvent */
        AuditPassedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["AuditData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "audit_passed";
        };
        /**
         * Author
         * @description A person or organisation that created the dataset or contributed to it.
         */
        Author: {
            /**
             * @description Postal address. Postal data is not included in the package.
             * @example 1 Prospect Street
             */
            address?: string;
            /**
             * @description Name of the institution.
             * @example Brown University
             */
            affiliation?: string;
            /** @description Further institutions, or all of them. */
            affiliations?: components["schemas"]["Affiliation"][];
            /**
             * @description City.
             * @example Providence
             */
            city?: string;
            /**
             * @description Country as ISO 3166 code or English name.
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
             * @description Name of an organisation.
             * @example Brown University Library
             */
            name?: string;
            /**
             * @description Whether the author is a person or an organisation; `person` and `organisation` are accepted, too. One of `Personal`, `Organizational`.
             * @example Personal
             */
            nameType?: string;
            /**
             * @description ORCID iD, with or without `https://orcid.org/`.
             * @example 0000-0002-1825-0097
             */
            orcid?: string;
            /**
             * @description Role: `Creator`, `Contributor` or a contributor type of DataCite. At least one author must be a `Creator`.
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
             * @description ROR id of the institution, with or without `https://ror.org/`. For an organisation, its own id.
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
             * @description Name of an organisation.
             * @example Brown University Library
             */
            name?: string;
            /**
             * @description ORCID iD, with or without `https://orcid.org/`.
             * @example 0000-0002-1825-0097
             */
            orcid?: string;
            /**
             * @description Role: `Creator`, `Contributor` or a contributor type of DataCite. At least one author must be a `Creator`.
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
         * @description The authenticated caller.
         */
        Caller: {
            /** @description Owner of the submissions that the caller makes. */
            owner: string;
            /** @description For `roleArn` of a submission; null if the operator has not configured it. */
            roleAccess: components["schemas"]["RoleAccess"] | null;
            /** @description Roles of the caller. Permissions add up. */
            roles: ("submitter" | "curator" | "admin")[];
        };
        /**
         * Catalogue
         * @description Published datasets that a search has found.
         */
        Catalogue: {
            /** @description This page of the found datasets. */
            datasets: components["schemas"]["PublishedDataset"][];
            /** @description The most frequent values of each kind. For a kind with chosen values: as if none were chosen. Empty unless `facets=true`. */
            facets: components["schemas"]["CatalogueFacet"][];
            /** @description Words of this page that match the search text, in lower case and without diacritics. */
            matches: string[];
            /** @description Number of found datasets. */
            total: number;
        };
        /**
         * CatalogueFacet
         * @description A value by which a search can be narrowed down.
         */
        CatalogueFacet: {
            /** @description Number of found datasets with this value. */
            datasets: number;
            /** @description Whether the number is estimated from a part of the found datasets, because they are many. */
            isEstimated: boolean;
            /**
             * @description The query parameter that restricts a search to the value.
             * @enum {unknown}
             */
            kind: "collection" | "subject" | "year" | "author" | "institution" | "funder" | "licence" | "type" | "format" | "access";
            /** @description Name for people. */
            label: string;
            /** @description Value of the query parameter. */
            value: string;
        };
        /**
         * CatalogueUsage
         * @description Use of all published datasets.
         */
        CatalogueUsage: {
            /** @description A page of the datasets with use, in the order of their ids. */
            datasets: components["schemas"]["UsedDataset"][];
            /** @description First month. */
            from: string;
            /** @description Use of all datasets in months with use, oldest first. */
            months: components["schemas"]["MonthUsage"][];
            total: components["schemas"]["UsageSum"];
            /** @description Last month. */
            until: string;
        };
        /**
         * CheckRequest
         * @description The location of the bucket and the credentials to read it.
         */
        CheckRequest: {
            /**
             * @description Access key id. Required unless `anonymous` is true or `roleArn` is given.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description Whether the bucket is public and is read without credentials. */
            anonymous?: boolean;
            /**
             * @description Name of the bucket, without address or path. On servers with tenants, it can be `tenant:bucket`, as the server expects it.
             * @example barley-roots
             */
            bucket: string;
            /**
             * @description Address of the S3 server. Without a scheme, `https` is used.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description Whether requests use path-style addresses (`host/bucket`) instead of virtual-hosted ones (`bucket.host`). Default: detected from the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region of the bucket. Default: detected automatically.
             * @example eu-central-1
             */
            region?: string;
            /** @description Whether the owner of the access key pays for requests and downloads, which requester-pays buckets require. Requests then have the header `x-amz-request-payer`. */
            requesterPays?: boolean;
            /**
             * @description ARN of a role with which the service reads the bucket, instead of keys. Its trust policy must require your external id (`GET /caller`).
             * @example arn:aws:iam::123456789012:role/barley-roots-reader
             */
            roleArn?: string;
            /** @description Secret access key. It is stored encrypted and erased when it is no longer needed. */
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
            /**
             * @description Media type of `data`.
             * @constant
             */
            datacontenttype: "application/json";
            /** @description Id of the submission, a slash, and the number of the event. */
            id: string;
            /**
             * Format: uri
             * @description Address of this service.
             */
            source: string;
            /**
             * @description Version of the CloudEvents specification.
             * @constant
             */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            subject: string;
            /**
             * Format: date-time
             * @description Time of the event.
             */
            time: string;
            type: components["schemas"]["NoticeType"];
        };
        /**
         * Collection
         * @description A collection of datasets.
         */
        Collection: {
            /**
             * Format: date-time
             * @description Time of the last change of the collection itself.
             */
            changedAt: string;
            /** @description Account names of the curators who decide which datasets belong to the collection. Empty: all curators. For curators and admins. */
            curators?: string[];
            /** @description Number of its datasets that are published now. */
            datasets: number;
            description: components["schemas"]["CollectionDescription"];
            /** @description Id of the collection. */
            id: string;
            /** @description SPDX ids of the licences that the collection accepts. Empty: all. */
            licences: string[];
            name: components["schemas"]["CollectionName"];
            /** @description Page of the collection. */
            url: string;
        };
        /**
         * CollectionContent
         * @description What admins decide about a collection.
         */
        CollectionContent: {
            /** @description Account names of the curators who decide which datasets belong to the collection. Empty: all curators. */
            curators?: string[];
            description?: components["schemas"]["CollectionDescription"];
            /** @description SPDX ids of the licences that the collection accepts. Empty: all. */
            licences?: string[];
            name: components["schemas"]["CollectionName"];
        };
        /**
         * CollectionDescription
         * @description Description by language; can contain simple HTML markup.
         */
        CollectionDescription: {
            /** @description German text. Missing: the English one is shown. */
            de?: string;
            /** @description English text. */
            en: string;
        };
        /**
         * CollectionMembership
         * @description A collection to which the dataset belongs.
         */
        CollectionMembership: {
            /** @description Whether the caller can remove the dataset from the collection. */
            canRemove: boolean;
            /** @description Id of the collection. */
            id: string;
            name: components["schemas"]["CollectionName"];
        };
        /**
         * CollectionName
         * @description Name by language.
         */
        CollectionName: {
            /** @description German text. Missing: the English one is shown. */
            de?: string;
            /** @description English text. */
            en: string;
        };
        /**
         * CommentCount
         * @description The comments that answer no other one.
         */
        CommentCount: {
            /** @description Number of those that are resolved. */
            resolved: number;
            /** @description Number of comments. */
            total: number;
        };
        /**
         * CommentResolution
         * @description Whether a comment is resolved.
         */
        CommentResolution: {
            /** @description Number of the comment in the history. An answer is resolved with the comment that it answers. */
            entry: number;
            /** @description Whether it is resolved (default), or open again. */
            resolved?: boolean;
        };
        /**
         * CompletedData
         * @description The archived version, and whether the source can be deleted.
         */
        CompletedData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /**
             * @description Whether the source can be deleted, as in the receipt. Absent from events of early releases.
             * @enum {unknown}
             */
            sourceMayBeDeleted?: "yes" | "no";
            /** @description Explanation of `sourceMayBeDeleted`, with its scope. */
            statement?: string;
            /** @description Number of the version. */
            version: number;
        };
        /** CompletedEvent */
        CompletedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["CompletedData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "completed";
        };
        /**
         * Contact
         * @description Whom to ask about the dataset.
         */
        Contact: {
            /**
             * @description Mail address.
             * @example data@example.org
             */
            email: string;
            /**
             * @description Name of the person or office.
             * @example Data office
             */
            name?: string;
            /**
             * @description Whether the contact is part of public metadata and packages. The default is `false`.
             * @example true
             */
            public?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * CountData
         * @description Number and total size of objects.
         */
        CountData: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            /** @description Number of objects. */
            objects: number;
        };
        /** CountedEvent */
        CountedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["CountData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "listed" | "transferred";
        };
        /**
         * CslDate
         * @description A date in CSL-JSON.
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
            /** @description Description of the dataset. */
            abstract: string;
            /** @description Further titles and identifiers, licences of parts, funding and acknowledgements. */
            annote?: string;
            /** @description Authors with the role `Creator`. */
            author: components["schemas"]["CslName"][];
            /** @description All other authors. */
            contributor?: components["schemas"]["CslName"][];
            /** @description The DOI of the version, if it is registered or reserved. A reserved DOI resolves after publication. */
            DOI?: string;
            /** @description Type of the dataset, if it is stated. */
            genre?: string;
            /** @description Address of the version; before its publication, id and number. */
            id: string;
            issued: components["schemas"]["CslDate"];
            /** @description Keywords, separated by commas. */
            keyword?: string;
            /** @description Language of the data. */
            language?: string;
            /** @description Address of the licence, or its name. */
            license: string;
            /** @description Name of the organisation. */
            publisher: string;
            /** @description `Not published yet`, before publication at a service that publishes. */
            status?: string;
            /** @description Title as submitted. */
            title: string;
            /** @description Type of the resource in CSL, such as `dataset`. */
            type: string;
            /** @description Address of the version; missing before publication, because others cannot open it. */
            URL?: string;
            /** @description Number of the version, or its name as submitted. */
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
            /** @description Name of an organisation. */
            literal?: string;
            /** @description Suffix, such as `Jr.`. */
            suffix?: string;
        };
        /**
         * Curator
         * @description An account that can review datasets.
         */
        Curator: {
            /** @description Number of open reviews that are assigned to the curator. */
            assigned: number;
            /** @description Account name, as in `curator` of an assignment. */
            owner: string;
        };
        /**
         * DamageData
         * @description Defects that an audit found.
         */
        DamageData: {
            /** @description Number of defects. */
            count: number;
            /** @description Defects; at most the first 20. */
            findings: components["schemas"]["Finding"][];
        };
        /**
         * DataciteAffiliation
         * @description The affiliation of a person or an organisation.
         */
        DataciteAffiliation: {
            /** @description ROR id of the organisation as a URL. */
            affiliationIdentifier?: string;
            /**
             * @description Constant.
             * @constant
             */
            affiliationIdentifierScheme?: "ROR";
            /** @description Name of the organisation. */
            name: string;
            /** @description Address of the identifier scheme. */
            schemeUri?: string;
        };
        /**
         * DataciteAlternateIdentifier
         * @description A further identifier of the dataset.
         */
        DataciteAlternateIdentifier: {
            /** @description Address of the version, or an identifier elsewhere. */
            alternateIdentifier: string;
            /** @description Kind of identifier: `URL` for the address. */
            alternateIdentifierType: string;
        };
        /**
         * DataciteDate
         * @description A date of the version or of the data.
         */
        DataciteDate: {
            /** @description Date as `YYYY-MM-DD`. Dates of the data can also be years, months and ranges. */
            date: string;
            /** @description Explanation of the date. */
            dateInformation?: string;
            /**
             * @description Type of the date. `Submitted` is the day of archiving, `Issued` that of publication, and `Available` the first day on which all readers can read the files, for example after an embargo.
             * @enum {unknown}
             */
            dateType: "Submitted" | "Issued" | "Available" | "Collected" | "Created" | "Valid" | "Coverage" | "Copyrighted" | "Accepted" | "Other";
        };
        /**
         * DataciteDescription
         * @description A description.
         */
        DataciteDescription: {
            /** @description Description as submitted. */
            description: string;
            /**
             * @description Type of the description.
             * @enum {unknown}
             */
            descriptionType: "Abstract" | "Methods" | "TechnicalInfo" | "TableOfContents" | "SeriesInformation" | "Other";
            /** @description Language of the text, if it is stated. */
            lang?: string;
        };
        /**
         * DataciteFundingReference
         * @description A funder, with the grant if it is stated.
         */
        DataciteFundingReference: {
            /** @description Number of the grant. */
            awardNumber?: string;
            /** @description Title of the grant. */
            awardTitle?: string;
            /** @description Address of the grant. */
            awardUri?: string;
            /** @description Identifier of the funder. */
            funderIdentifier?: string;
            /**
             * @description Type of the identifier.
             * @enum {unknown}
             */
            funderIdentifierType?: "ROR" | "Crossref Funder ID" | "ISNI" | "GRID" | "Other";
            /** @description Name of the funder. */
            funderName: string;
            /** @description Address of the identifier scheme. */
            schemeUri?: string;
        };
        /**
         * DataciteGeoLocation
         * @description A place that the data are about.
         */
        DataciteGeoLocation: {
            geoLocationBox?: components["schemas"]["DataciteGeoLocationBox"];
            /** @description Name of the place. */
            geoLocationPlace?: string;
            geoLocationPoint?: components["schemas"]["DataciteGeoLocationPoint"];
        };
        /**
         * DataciteGeoLocationBox
         * @description An area in degrees of WGS 84.
         */
        DataciteGeoLocationBox: {
            /** @description Eastern longitude; less than the western one if the area crosses the 180th meridian. */
            eastBoundLongitude: number;
            /** @description Northern latitude. */
            northBoundLatitude: number;
            /** @description Southern latitude. */
            southBoundLatitude: number;
            /** @description Western longitude. */
            westBoundLongitude: number;
        };
        /**
         * DataciteGeoLocationPoint
         * @description A point in degrees of WGS 84.
         */
        DataciteGeoLocationPoint: {
            /** @description Latitude. */
            pointLatitude: number;
            /** @description Longitude. */
            pointLongitude: number;
        };
        /**
         * DataciteIdentifier
         * @description The identifier of the dataset.
         */
        DataciteIdentifier: {
            /** @description The DOI of the version. Without a registered DOI: `urn:uuid:` and the id of the dataset, which all versions share. */
            identifier: string;
            /**
             * @description Type of the identifier.
             * @enum {unknown}
             */
            identifierType: "DOI" | "URN";
        };
        /**
         * DataciteItemTitle
         * @description The title of a related resource.
         */
        DataciteItemTitle: {
            /** @description Citation. */
            title: string;
        };
        /**
         * DataciteName
         * @description A person or an organisation in a DataCite record.
         */
        DataciteName: {
            /** @description Affiliations of the person or organisation. */
            affiliation: components["schemas"]["DataciteAffiliation"][];
            /** @description Role of a contributor. */
            contributorType?: string;
            /** @description Family name of a person. */
            familyName?: string;
            /** @description Given names of a person. */
            givenName?: string;
            /** @description Name. For a person: `Family, Given`. */
            name: string;
            /** @description Identifiers of the person or organisation. */
            nameIdentifiers: components["schemas"]["DataciteNameIdentifier"][];
            /**
             * @description Type of the name; absent if unknown.
             * @enum {unknown}
             */
            nameType?: "Personal" | "Organizational";
        };
        /**
         * DataciteNameIdentifier
         * @description An identifier of a person or an organisation.
         */
        DataciteNameIdentifier: {
            /** @description Identifier as a URL. */
            nameIdentifier: string;
            /**
             * @description `ORCID` for a person, `ROR` for an organisation.
             * @enum {unknown}
             */
            nameIdentifierScheme: "ORCID" | "ROR";
            /** @description Address of the identifier scheme. */
            schemeUri: string;
        };
        /**
         * DatacitePublisher
         * @description The publisher of the dataset.
         */
        DatacitePublisher: {
            /** @description Name of the organisation. */
            name: string;
            /** @description ROR id of the organisation as a URL. */
            publisherIdentifier?: string;
            /**
             * @description Constant.
             * @constant
             */
            publisherIdentifierScheme?: "ROR";
            /** @description Address of the identifier scheme. */
            schemeUri?: string;
        };
        /**
         * DataciteRecord
         * @description A version of a dataset as a DataCite 4.7 record.
         */
        DataciteRecord: {
            /** @description Address of the version, then identifiers elsewhere. */
            alternateIdentifiers: components["schemas"]["DataciteAlternateIdentifier"][];
            /** @description All other authors, and a public contact. */
            contributors: components["schemas"]["DataciteName"][];
            /** @description Authors with the role `Creator`. */
            creators: components["schemas"]["DataciteName"][];
            /** @description Date of the submission, date of availability, and dates of the data. */
            dates: components["schemas"]["DataciteDate"][];
            /** @description Description, then further ones and acknowledgements. */
            descriptions: components["schemas"]["DataciteDescription"][];
            /** @description Media types of the files; at most 50. */
            formats: string[];
            /** @description Funders and grants. */
            fundingReferences?: components["schemas"]["DataciteFundingReference"][];
            /** @description Places that the data are about. */
            geoLocations?: components["schemas"]["DataciteGeoLocation"][];
            /** @description Identifier of the dataset; one entry. */
            identifiers: components["schemas"]["DataciteIdentifier"][];
            /** @description Language of the data. */
            language?: string;
            /** @description Year of publication; before publication, the year of archiving. */
            publicationYear: string;
            publisher: components["schemas"]["DatacitePublisher"];
            /** @description The whole dataset, the previous version and the next version, then related resources. */
            relatedIdentifiers: components["schemas"]["DataciteRelatedIdentifier"][];
            /** @description Related resources that have no identifier. */
            relatedItems?: components["schemas"]["DataciteRelatedItem"][];
            /** @description Licence of the dataset, then those of parts. */
            rightsList: components["schemas"]["DataciteRights"][];
            /**
             * @description Constant.
             * @constant
             */
            schemaVersion: "http://datacite.org/schema/kernel-4";
            /** @description Number of files, and total size in bytes. */
            sizes: string[];
            /** @description Keywords, then terms of vocabularies. */
            subjects: components["schemas"]["DataciteSubject"][];
            /** @description Title, then further titles. */
            titles: components["schemas"]["DataciteTitle"][];
            types: components["schemas"]["DataciteTypes"];
            /** @description Number of the version, or its name as submitted. */
            version: string;
        };
        /**
         * DataciteRelatedIdentifier
         * @description The whole dataset, another version, or a related resource.
         */
        DataciteRelatedIdentifier: {
            /** @description Identifier of the related resource. */
            relatedIdentifier: string;
            /**
             * @description Type of the identifier.
             * @enum {unknown}
             */
            relatedIdentifierType: "ARK" | "arXiv" | "bibcode" | "CSTR" | "DOI" | "EAN13" | "EISSN" | "Handle" | "IGSN" | "ISBN" | "ISSN" | "ISTC" | "LISSN" | "LSID" | "PMID" | "PURL" | "RAiD" | "RRID" | "SWHID" | "UPC" | "URL" | "URN" | "w3id";
            /**
             * @description Relation of this version to that resource.
             * @enum {unknown}
             */
            relationType: "IsDescribedBy" | "IsSupplementTo" | "IsCitedBy" | "IsDerivedFrom" | "References" | "IsDocumentedBy" | "IsPartOf" | "HasPart" | "IsSourceOf" | "Requires" | "Cites" | "IsSupplementedBy" | "IsContinuedBy" | "Continues" | "IsNewVersionOf" | "IsPreviousVersionOf" | "IsPublishedIn" | "IsReferencedBy" | "Documents" | "IsCompiledBy" | "Compiles" | "IsVariantFormOf" | "IsOriginalFormOf" | "IsIdenticalTo" | "HasMetadata" | "IsMetadataFor" | "Reviews" | "IsReviewedBy" | "Describes" | "HasVersion" | "IsVersionOf" | "IsRequiredBy" | "Obsoletes" | "IsObsoletedBy" | "Collects" | "IsCollectedBy" | "HasTranslation" | "IsTranslationOf" | "Other";
            /**
             * @description Type of the related resource.
             * @enum {unknown}
             */
            resourceTypeGeneral?: "Audiovisual" | "Award" | "Book" | "BookChapter" | "Collection" | "ComputationalNotebook" | "ConferencePaper" | "ConferenceProceeding" | "DataPaper" | "Dataset" | "Dissertation" | "Event" | "Image" | "Instrument" | "InteractiveResource" | "Journal" | "JournalArticle" | "Model" | "OutputManagementPlan" | "PeerReview" | "PhysicalObject" | "Poster" | "Preprint" | "Presentation" | "Project" | "Report" | "Service" | "Software" | "Sound" | "Standard" | "StudyRegistration" | "Text" | "Workflow" | "Other";
        };
        /**
         * DataciteRelatedItem
         * @description A related resource that has no identifier.
         */
        DataciteRelatedItem: {
            /**
             * @description Type of the related resource.
             * @enum {unknown}
             */
            relatedItemType: "Audiovisual" | "Award" | "Book" | "BookChapter" | "Collection" | "ComputationalNotebook" | "ConferencePaper" | "ConferenceProceeding" | "DataPaper" | "Dataset" | "Dissertation" | "Event" | "Image" | "Instrument" | "InteractiveResource" | "Journal" | "JournalArticle" | "Model" | "OutputManagementPlan" | "PeerReview" | "PhysicalObject" | "Poster" | "Preprint" | "Presentation" | "Project" | "Report" | "Service" | "Software" | "Sound" | "Standard" | "StudyRegistration" | "Text" | "Workflow" | "Other";
            /**
             * @description Relation of this version to that resource.
             * @enum {unknown}
             */
            relationType: "IsDescribedBy" | "IsSupplementTo" | "IsCitedBy" | "IsDerivedFrom" | "References" | "IsDocumentedBy" | "IsPartOf" | "HasPart" | "IsSourceOf" | "Requires" | "Cites" | "IsSupplementedBy" | "IsContinuedBy" | "Continues" | "IsNewVersionOf" | "IsPreviousVersionOf" | "IsPublishedIn" | "IsReferencedBy" | "Documents" | "IsCompiledBy" | "Compiles" | "IsVariantFormOf" | "IsOriginalFormOf" | "IsIdenticalTo" | "HasMetadata" | "IsMetadataFor" | "Reviews" | "IsReviewedBy" | "Describes" | "HasVersion" | "IsVersionOf" | "IsRequiredBy" | "Obsoletes" | "IsObsoletedBy" | "Collects" | "IsCollectedBy" | "HasTranslation" | "IsTranslationOf" | "Other";
            /** @description One entry. */
            titles: components["schemas"]["DataciteItemTitle"][];
        };
        /**
         * DataciteRights
         * @description The licence of the dataset or of a part.
         */
        DataciteRights: {
            /** @description Name of the licence; for a part with the name of the part. */
            rights: string;
            /** @description SPDX id or SPDX expression. */
            rightsIdentifier?: string;
            /**
             * @description Constant.
             * @constant
             */
            rightsIdentifierScheme?: "SPDX";
            /** @description Address of the licence. */
            rightsUri?: string;
            /** @description Address of the identifier scheme. */
            schemeUri?: string;
        };
        /**
         * DataciteSubject
         * @description A keyword, or a term of a vocabulary.
         */
        DataciteSubject: {
            /** @description Code of the term in the vocabulary. */
            classificationCode?: string;
            /** @description Language of the text, if it is stated. */
            lang?: string;
            /** @description Address of the vocabulary. */
            schemeUri?: string;
            /** @description Keyword or term as submitted. */
            subject: string;
            /** @description Name of the vocabulary. */
            subjectScheme?: string;
            /** @description Address of the term. */
            valueUri?: string;
        };
        /**
         * DataciteTitle
         * @description A title.
         */
        DataciteTitle: {
            /** @description Language of the text, if it is stated. */
            lang?: string;
            /** @description Title as submitted. */
            title: string;
            /**
             * @description Type of a further title.
             * @enum {unknown}
             */
            titleType?: "AlternativeTitle" | "Subtitle" | "TranslatedTitle" | "Other";
        };
        /**
         * DataciteTypes
         * @description The type of the resource.
         */
        DataciteTypes: {
            /** @description More exact type; the general one if none is stated. */
            resourceType: string;
            /**
             * @description Type as DataCite names it; `Dataset` if none is stated.
             * @enum {unknown}
             */
            resourceTypeGeneral: "Audiovisual" | "Award" | "Book" | "BookChapter" | "Collection" | "ComputationalNotebook" | "ConferencePaper" | "ConferenceProceeding" | "DataPaper" | "Dataset" | "Dissertation" | "Event" | "Image" | "Instrument" | "InteractiveResource" | "Journal" | "JournalArticle" | "Model" | "OutputManagementPlan" | "PeerReview" | "PhysicalObject" | "Poster" | "Preprint" | "Presentation" | "Project" | "Report" | "Service" | "Software" | "Sound" | "Standard" | "StudyRegistration" | "Text" | "Workflow" | "Other";
        };
        /**
         * Dataset
         * @description An archived dataset.
         */
        Dataset: {
            /** @description Result of the last audit; null before the first. */
            audit: components["schemas"]["Audit"] | null;
            /**
             * Format: date-time
             * @description Time at which the first version was archived; for the public, the first one that it sees.
             */
            createdAt: string;
            details?: components["schemas"]["DatasetDetails"];
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Persistent identifier of the requested version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. */
            identifier: string;
            identifierType: components["schemas"]["IdentifierType"];
            /** @description Title of the requested version. */
            title: string;
            /** @description Number of the requested version, which is the latest by default. */
            version: number;
            /** @description Versions of the dataset, newest first. */
            versions: components["schemas"]["Version"][];
            /** @description What the caller sees: `full` for the owner, curators and admins; `public` for other callers, who see published versions and neither submissions, receipts nor metadata revisions. */
            view: "full" | "public";
        };
        /**
         * DatasetAccess
         * @description Who may read the files after publication: `open` (all), `embargoed` (all from `embargoDate` on, UTC) or `restricted` (owner, curators and people who were granted access). Metadata are always public.
         * @enum {unknown}
         */
        DatasetAccess: "open" | "embargoed" | "restricted";
        /**
         * DatasetDetails
         * @description What a page about a version shows first. Each member except `page` and `metadata` is also the response of another operation.
         */
        DatasetDetails: {
            citation: components["schemas"]["CslItem"];
            /** @description The public metadata as the service stores them, with the embargo that is in force. */
            metadata: unknown;
            page: components["schemas"]["PageParts"];
            /** @description The publication; null for the owner and curators if the version has more than 10,000 files, because it is checked then. */
            publication: components["schemas"]["Publication"] | null;
            /** @description The `ETag` of the publication, for the `If-Match` of a change. */
            publicationTag: string | null;
            /** @description The receipt as a compact JWS (EdDSA); null if the caller may not read it. */
            receipt: string | null;
            record: components["schemas"]["DataciteRecord"];
            /** @description The files whose names are not possible on every system; null if the caller may not read the files, and for more than 10,000 files. */
            unpacking: components["schemas"]["Unpacking"] | null;
        };
        /**
         * DatasetEntry
         * @description A dataset in a list, described by its latest version. Its size is bounded.
         */
        DatasetEntry: {
            /** @description Total size of these objects in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description Time at which the first version was archived.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Persistent identifier of the latest version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. */
            identifier: string;
            identifierType: components["schemas"]["IdentifierType"];
            /** @description Paths: `self` and `submission`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["MetadataSummary"];
            /** @description Number of objects in the latest version. */
            objects: number;
            /** @description Owner of the dataset. */
            owner: string;
            /**
             * Format: date-time
             * @description Time at which the latest version was archived.
             */
            publishedAt: string;
            /** @description Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis. */
            shortened: boolean;
            /**
             * Format: uuid
             * @description Id of the submission that created the latest version.
             */
            submission: string;
            /** @description Title of the latest version, cut to 300 characters. */
            title: string;
            /**
             * Format: date-time
             * @description Time at which a version was last archived, or the dataset was withdrawn.
             */
            updatedAt: string;
            /** @description Number of the latest version. */
            version: number;
            /** @description Set if the dataset was withdrawn. Its content is permanently deleted. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * DatasetFile
         * @description A file of an archived dataset.
         */
        DatasetFile: {
            /** @description Size in bytes. */
            bytes: number;
            /** @description Media type that the source stated; null if none. */
            contentType: string | null;
            /** @description Modification time that the source stated, in ISO 8601; null if none. */
            lastModified: string | null;
            /** @description Logical path in the dataset. */
            path: string;
            /** @description SHA-512 in lower-case hexadecimal. */
            sha512: string;
            /** @description Evidence for the file; null for files that Accession created. */
            verifiedBy: components["schemas"]["VerifiedBy"] | null;
            /** @description Algorithm of the checksum, such as `crc64nvme` or `submitter-sha256`. */
            verifiedWith: string | null;
        };
        /**
         * DatasetMetadata
         * @description The metadata of a dataset.
         */
        DatasetMetadata: {
            /**
             * Format: date-time
             * @description Time since which they are valid.
             */
            changedAt: string;
            /** @description Who sent these metadata; empty if the service has written them again after publication, without a change, with the identifier and the day of publication. */
            changedBy: string;
            metadata: components["schemas"]["SentMetadata"];
            /** @description Metadata as they are archived. */
            normalized: unknown;
            /** @description Reason for the change; empty if none was given. */
            note: string;
            /** @description Number of the metadata revision; 1 for the metadata of the submission. */
            revision: number;
            /** @description Number of the version that the metadata describe. */
            version: number;
            /** @description Suggestions for better metadata. */
            warnings: components["schemas"]["Remark"][];
        };
        /**
         * DatasetReference
         * @description The dataset to which the submission adds a version. Default: the submission creates a new dataset.
         */
        DatasetReference: {
            /** @description Id of the dataset. */
            id: string;
        };
        /**
         * DatasetUsage
         * @description Use of a published dataset.
         */
        DatasetUsage: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Months with use, oldest first. */
            months: components["schemas"]["MonthUsage"][];
            total: components["schemas"]["UsageSum"];
            /** @description Number of the version that `version` names; null for all versions. */
            version: number | null;
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
            /** @description Number of the version. */
            version: number;
        };
        /**
         * DelayData
         * @description The problem that delays the registration of an identifier.
         */
        DelayData: {
            /** @description What the responsible party can do. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            fault: components["schemas"]["Fault"];
            /** @description Number of the version. */
            version: number;
        };
        /** DelayedEvent */
        DelayedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["DelayData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "registration_delayed";
        };
        /**
         * Delivery
         * @description A delivery of an event to a webhook.
         */
        Delivery: {
            answer: number | null;
            attemptedAt: string | null;
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the event, or of the registration of the webhook if the event is older.
             */
            createdAt: string;
            /** @description Error of the last attempt; null if it succeeded. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Number of the event in the event history of the submission; null for a test delivery. */
            event: number | null;
            /**
             * Format: uuid
             * @description Id of the delivery, as in the header `webhook-id`. It is the same for every attempt.
             */
            id: string;
            nextAttemptAt: string | null;
            /**
             * @description Status: `pending`, `delivered` (accepted by the endpoint) or `given_up` (not accepted within a day).
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "given_up";
            /** @description Id of the submission; null for a test delivery. */
            submission: string | null;
            /** @description Type of the event, or `test`. */
            type: components["schemas"]["EventType"] | "test";
        };
        /**
         * DeliveryError
         * @description The error of a delivery.
         */
        DeliveryError: {
            code: components["schemas"]["ProblemCode"];
            /** @description Human-readable explanation. */
            message: string;
        };
        /**
         * DepositAgreement
         * @description The text that owners accept when they request publication.
         */
        DepositAgreement: {
            /** @description Language of the text (BCP 47). */
            language: string;
            /** @description SHA-256 of the text. Send it as `agreement` to accept the text. */
            sha256: string;
            /** @description The agreement as Markdown. */
            text: string;
        };
        /**
         * Description
         * @description A further description of the dataset.
         */
        Description: {
            /**
             * @description The text.
             * @example Roots were photographed weekly in rhizotrons with a camera at a distance of 40 cm.
             */
            description: string;
            /**
             * @description What the text describes. The default is `Other`. One of `Abstract`, `Methods`, `TechnicalInfo`, `TableOfContents`, `SeriesInformation`, `Other`.
             * @example Methods
             */
            descriptionType?: string;
            /**
             * @description Language of the text, in the same forms as `language` of the dataset.
             * @example de
             */
            language?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * DifferentName
         * @description A file whose name is not possible on every system.
         */
        DifferentName: {
            /** @description Human-readable text: what happens to the file. */
            detail: string;
            /** @description With `same_name` and `same_name_on_windows`, the other file or folder; null with other reasons. */
            other: string | null;
            /** @description Logical path in the dataset. */
            path: string;
            /**
             * @description Stable code of the reason. Later versions can add codes.
             * @enum {unknown}
             */
            reason: "same_name" | "same_name_on_windows" | "forbidden_character" | "reserved_name" | "trailing_character" | "name_too_long" | "path_too_long";
        };
        /**
         * DigestCommitment
         * @description A digest that commits to the files and metadata of a version.
         */
        DigestCommitment: {
            /** @description Number of the metadata revision. */
            metadataRevision: number;
            /** @description SHA-512 of the inventory, which has the digests of all files and metadata. After publication, the publication record names the digest of the reviewed version. */
            sha512: string;
            /**
             * Format: date-time
             * @description Since when the version has this state.
             */
            since: string;
        };
        /**
         * DigestComparison
         * @description The files of the digest lists, compared with those of the source.
         */
        DigestComparison: {
            /** @description Files of the source that no list names. They are archived. Lists and tag files of a bag do not count. */
            additional: components["schemas"]["NamedFiles"];
            /** @description Number of listed files that the selection contains. */
            files: number;
            /** @description Listed files that the source does not have. The submission waits until they are added. */
            missing: components["schemas"]["NamedFiles"];
            /** @description Number of listed files that the selection leaves out. */
            notSelected: number;
        };
        /**
         * DigestList
         * @description A list of checksums that were computed where the data were produced.
         */
        DigestList: {
            /**
             * @description Folder of the source to which the paths are relative; `/` for the whole source. Default: the folder of `key`; for `text`, the folder of `selection.prefix`.
             * @example experiment-7/
             */
            base?: string;
            /**
             * @description `md5sum` to `sha512sum`: lines of GNU coreutils, also with `--tag`. `bagit`: the manifest of a bag (RFC 8493). `csv`: a table with a column `path` and columns that are named by their algorithm, separated by commas, semicolons or tabs. Default: detected from the name and the first line.
             * @example sha256sum
             * @enum {unknown}
             */
            format?: "md5sum" | "sha1sum" | "sha256sum" | "sha384sum" | "sha512sum" | "bagit" | "csv";
            /**
             * @description Key of an object of the bucket, or path of a file of the upload, that is the list. It is read when the submission is processed; at most 1 GiB.
             * @example experiment-7/SHA256SUMS
             */
            key?: string;
            /**
             * @description Name of the file of `text`, for messages and to detect the format.
             * @example SHA256SUMS
             */
            name?: string;
            /**
             * @description The content of the list. Exactly one of `text` and `key` is required.
             * @example ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  run-1/plate.csv
             */
            text?: string;
        };
        /**
         * DigestListProblem
         * @description Why a digest list cannot be used.
         */
        DigestListProblem: {
            code: components["schemas"]["ProblemCode"];
            /** @description Human-readable explanation. */
            message: string;
        };
        /**
         * Doi
         * @description A registered DOI, and its comparison with DataCite.
         */
        Doi: {
            /** @description Time of the last comparison; null until one that was requested has succeeded. */
            checkedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Attributes of DataCite’s REST API that differ from the archive; `doi` if DataCite does not have the DOI, `registered` if its handle is not registered, and `state` if it is not findable. */
            differences: string[];
            /** @description The DOI. */
            doi: string;
            /** @description Why the last attempt to compare it failed; null after a success. The service tries again. */
            problem: components["schemas"]["PublicationProblem"] | null;
            /** @description Time at which DataCite registered the handle. */
            registeredAt: string | null;
            /** @description Title of the dataset. */
            title: string;
            /** @description Number of the version; null for a concept DOI, which stands for all versions. */
            version: number | null;
        };
        /**
         * DoiCheck
         * @description The comparisons that were queued.
         */
        DoiCheck: {
            /** @description Number of DOIs that are compared. */
            queued: number;
        };
        /**
         * DoiCheckRequest
         * @description A comparison of registered DOIs.
         */
        DoiCheckRequest: {
            /** @description Id of the dataset whose DOIs are compared. Default: all datasets. */
            dataset?: string;
            /** @description Whether to correct differences. Default: false. */
            repair?: boolean;
        };
        /** DoiReservedEvent */
        DoiReservedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["ReservedDoiData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "doi_reserved";
        };
        /**
         * DownloadLink
         * @description A link for one download.
         */
        DownloadLink: {
            /**
             * Format: date-time
             * @description Time by which the download must start.
             */
            expiresAt: string;
            /** @description Path of the download. It works once. */
            url: string;
        };
        /**
         * DownloadLinkRequest
         * @description The content of the download: either a `path` or a `format`.
         */
        DownloadLinkRequest: {
            /**
             * @description Format of a package of the whole dataset.
             * @enum {unknown}
             */
            format?: "ro-crate" | "bagit";
            /** @description Path of a file or folder, not encoded. */
            path?: string;
        };
        /**
         * Drift
         * @description An object that changed in the source after it was read.
         */
        Drift: {
            /**
             * @description Type of the change.
             * @enum {unknown}
             */
            change: "changed" | "vanished" | "appeared";
            /** @description Key of the object. */
            key: string;
        };
        /**
         * DriftData
         * @description Changes in the bucket after it was read.
         */
        DriftData: {
            /** @description Changes; at most the first 20. */
            changes: components["schemas"]["Drift"][];
        };
        /** DriftEvent */
        DriftEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["DriftData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "drift";
        };
        /**
         * EmbargoData
         * @description The end of an embargo.
         */
        EmbargoData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description First day on which the files are open. */
            embargoDate: string;
            /** @description Number of the version. */
            version: number;
        };
        /** EmbargoEvent */
        EmbargoEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["EmbargoData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "embargo_ending" | "embargo_ended";
        };
        /**
         * Event
         * @description An event in the log of a submission. `type` determines the content of `data`.
         */
        Event: components["schemas"]["AcceptedEvent"] | components["schemas"]["CountedEvent"] | components["schemas"]["UnreadableEvent"] | components["schemas"]["ExcludedEvent"] | components["schemas"]["DriftEvent"] | components["schemas"]["CompletedEvent"] | components["schemas"]["StandstillEvent"] | components["schemas"]["MetadataChangedEvent"] | components["schemas"]["PublicationEvent"] | components["schemas"]["AccessEvent"] | components["schemas"]["PublishedEvent"] | components["schemas"]["DoiReservedEvent"] | components["schemas"]["ReviewerLinkEvent"] | components["schemas"]["DelayedEvent"] | components["schemas"]["ReservationDelayedEvent"] | components["schemas"]["AccessReminderEvent"] | components["schemas"]["ReminderEvent"] | components["schemas"]["EmbargoEvent"] | components["schemas"]["AuditPassedEvent"] | components["schemas"]["AuditFailedEvent"] | components["schemas"]["WithdrawnEvent"] | components["schemas"]["PlainEvent"];
        /**
         * EventType
         * @description Type of an event.
         * @enum {unknown}
         */
        EventType: "accepted" | "listing" | "digests_read" | "listed" | "transferring" | "transferred" | "objects_unreadable" | "excluded" | "verifying" | "drift" | "packaging" | "publishing" | "completed" | "waiting" | "credentials_replaced" | "resumed" | "failed" | "retried" | "cancelled" | "metadata_changed" | "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "doi_reserved" | "reservation_delayed" | "registering" | "registration_delayed" | "published" | "access_changed" | "access_requested" | "access_reminder" | "access_granted" | "access_refused" | "access_revoked" | "publication_withdrawn" | "publication_reminder" | "embargo_ending" | "embargo_ended" | "reviewer_link_created" | "reviewer_link_revoked" | "audit_passed" | "audit_failed" | "withdrawn" | "removed";
        /** ExcludedEvent */
        ExcludedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["ExclusionData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "excluded";
        };
        /**
         * ExcludeRequest
         * @description The objects to exclude, and the reason.
         */
        ExcludeRequest: {
            /** @description Keys of unreadable objects of the submission. */
            keys: string[];
            /** @description Reason for the exclusion. The manifest and the receipt contain it. */
            reason: string;
        };
        /**
         * ExclusionData
         * @description Objects that were excluded from the dataset.
         */
        ExclusionData: {
            /** @description Number of excluded objects. */
            count: number;
            /** @description Keys of the excluded objects; at most the first 20. */
            keys: string[];
            /** @description Reason for the exclusion, as stated in the request. */
            reason: string;
        };
        /**
         * FairPoint
         * @description A FAIR recommendation that the dataset does not fulfil.
         */
        FairPoint: {
            /**
             * @description Stable code. Later versions can add codes.
             * @enum {unknown}
             */
            code: "identifier_missing" | "keywords_missing" | "licence_not_spdx" | "related_missing" | "formats_unknown" | "orcid_missing" | "ror_missing" | "funding_missing";
            /** @description Human-readable finding. */
            message: string;
            /** @description F-UJI metric (version 0.8) that tests the recommendation; null if none does. */
            metric: string | null;
            /** @description What to do about it. */
            nextStep: string;
            place?: components["schemas"]["Place"];
        };
        /**
         * Fault
         * @description Who must act: `submitter`, `source` (the storage provider), `service` (the service retries automatically) or `operator`.
         * @enum {unknown}
         */
        Fault: "submitter" | "source" | "service" | "operator";
        /**
         * Field
         * @description An additional field of the metadata.
         */
        Field: {
            /** @description The only allowed values. */
            choices?: components["schemas"]["FieldChoice"][];
            /** @description Explanation. */
            description?: string;
            /** @description Translations by language tag. */
            descriptions: {
                [key: string]: string;
            };
            /** @description The number must be less. */
            exclusiveMaximum?: number;
            /** @description The number must be greater. */
            exclusiveMinimum?: number;
            /** @description The fields of a group, in the same form. */
            fields?: unknown[];
            /**
             * @description Form of a text.
             * @enum {unknown}
             */
            format?: "date" | "uri" | "email";
            /** @description The entries of a list, in the form of a field without name and texts. */
            items?: unknown;
            /** @description Greatest number. */
            maximum?: number;
            /** @description Maximum number of entries of a list. */
            maxItems?: number;
            /** @description Maximum length of a text, in Unicode characters. */
            maxLength?: number;
            /** @description Least number. */
            minimum?: number;
            /** @description Minimum number of entries of a list. */
            minItems?: number;
            /** @description Minimum length of a text, in Unicode characters. */
            minLength?: number;
            /** @description Name in the metadata. */
            name: string;
            /** @description Regular expression (RE2) that a part of the text must match. */
            pattern?: string;
            /** @description For a group: whether every dataset needs values. For a field: whether its group needs it. */
            required: boolean;
            /** @description Its name for people. */
            title: string;
            /** @description Translations by language tag. */
            titles: {
                [key: string]: string;
            };
            /**
             * @description What the value is.
             * @enum {unknown}
             */
            type: "text" | "number" | "integer" | "boolean" | "list" | "group";
            /** @description Whether all entries of a list must differ. */
            uniqueItems?: boolean;
            /** @description Unit of a number. */
            unit?: string;
            /** @description Whether the values are measured variables of the dataset. */
            variable: boolean;
        };
        /**
         * FieldChoice
         * @description A value of an enumeration.
         */
        FieldChoice: {
            /** @description Its name for people. */
            title: string;
            /** @description Translations by language tag. */
            titles: {
                [key: string]: string;
            };
            /** @description The value in the metadata. */
            value: string | number;
        };
        /**
         * FieldGroup
         * @description A group of metadata fields that the operator has defined.
         */
        FieldGroup: {
            /** @description Explanation. */
            description?: string;
            /** @description Translations by language tag. */
            descriptions: {
                [key: string]: string;
            };
            /** @description The fields, in order. */
            fields: components["schemas"]["Field"][];
            /** @description Name of the member of `fields` in the metadata. */
            name: string;
            /** @description For a group: whether every dataset needs values. For a field: whether its group needs it. */
            required: boolean;
            /** @description Its name for people. */
            title: string;
            /** @description Translations by language tag. */
            titles: {
                [key: string]: string;
            };
        };
        /**
         * FieldPlace
         * @description A metadata field.
         */
        FieldPlace: {
            /**
             * @description JSON Pointer (RFC 6901) to a metadata field.
             * @example /authors/0
             */
            field: string;
        };
        /**
         * Fields
         * @description Values of fields that the operator has defined, by the name of their group. `GET /field-groups` lists the groups.
         * @example {
         *       "plants": {
         *         "organism": "Hordeum vulgare",
         *         "plants": 96
         *       }
         *     }
         */
        Fields: {
            [key: string]: unknown;
        };
        /**
         * File
         * @description An object of the source and its state.
         */
        File: {
            /** @description Number of times that the object was requested. */
            attempts: number;
            /** @description Size in bytes. */
            bytes: number;
            /** @description Error of an unreadable object. */
            error: components["schemas"]["FileError"] | null;
            /** @description Key of the object in the source. */
            key: string;
            /** @description Logical path in the dataset. */
            path: string;
            /** @description SHA-512 of the stored content in lower-case hexadecimal; null until it is stored. */
            sha512: string | null;
            state: components["schemas"]["FileState"];
            /** @description Strongest evidence that the stored content equals the object. */
            verifiedBy: components["schemas"]["VerifiedBy"] | null;
            /** @description Algorithm of the checksum, such as `crc64nvme` or `submitter-sha256`. */
            verifiedWith: string | null;
        };
        /**
         * FileError
         * @description The error of an unreadable object.
         */
        FileError: {
            code: components["schemas"]["ProblemCode"];
            /** @description Human-readable explanation. */
            message: string;
        };
        /**
         * FilePlace
         * @description A file or folder.
         */
        FilePlace: {
            /**
             * @description Path from the list of files.
             * @example data/plot-01.csv
             */
            file: string;
        };
        /**
         * FilesPart
         * @description The list of files on the page of a version as HTML, for the web page of this service: that of the landing page, with what the caller may see. Texts of the dataset are escaped.
         */
        FilesPart: {
            /** @description A section with a part of the list of files, and one with the README of the folder if it has one. */
            html: string;
            /** @description What it shows, for screen readers; empty without access to the files. */
            status: string;
        };
        /**
         * FileState
         * @description State of an object: `listed`, `stored` (stored and verified), `failed` (unreadable) or `excluded`.
         * @enum {unknown}
         */
        FileState: "listed" | "stored" | "failed" | "excluded";
        /**
         * Finding
         * @description A defect of an archived dataset.
         */
        Finding: {
            /** @description Code of the finding, as in `accession verify`. */
            code: string;
            /** @description Human-readable explanation. */
            detail: string;
            /** @description Path in the folder of the dataset; empty for the whole dataset. */
            path: string;
        };
        /**
         * FoundByChecks
         * @description The number of findings of the automatic checks.
         */
        FoundByChecks: {
            /** @description Errors, which prevent publication. */
            errors: number;
            /** @description Warnings. */
            warnings: number;
        };
        /**
         * FundingReference
         * @description Funding of the work from which the dataset results.
         */
        FundingReference: {
            /**
             * @description Number of the grant.
             * @example 101017502
             */
            awardNumber?: string;
            /**
             * @description Title of the grant or project.
             * @example Phenotyping of crops
             */
            awardTitle?: string;
            /**
             * @description Web address of the grant.
             * @example https://cordis.europa.eu/project/id/101017502
             */
            awardUri?: string;
            /**
             * @description Identifier of the funder: a ROR id, a Crossref Funder id, an ISNI or a GRID id.
             * @example https://ror.org/00k4n6c32
             */
            funderIdentifier?: string;
            /**
             * @description Type of the identifier; needed only if the service does not recognise it. One of `ROR`, `Crossref Funder ID`, `ISNI`, `GRID`, `Other`.
             * @example ROR
             */
            funderIdentifierType?: string;
            /**
             * @description Name of the funder.
             * @example European Commission
             */
            funderName: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * GeoLocation
         * @description A place that the data are about: a name, a point, an area, or several.
         */
        GeoLocation: {
            geoLocationBox?: components["schemas"]["GeoLocationBox"];
            /**
             * @description Name of the place.
             * @example Gatersleben, Germany
             */
            geoLocationPlace?: string;
            geoLocationPoint?: components["schemas"]["GeoLocationPoint"];
        } & {
            [key: string]: unknown;
        };
        /**
         * GeoLocationBox
         * @description An area between two meridians and two parallels.
         */
        GeoLocationBox: {
            /**
             * @description Eastern longitude.
             * @example 11.4
             */
            eastBoundLongitude: number | string;
            /**
             * @description Northern latitude.
             * @example 51.9
             */
            northBoundLatitude: number | string;
            /**
             * @description Southern latitude.
             * @example 51.8
             */
            southBoundLatitude: number | string;
            /**
             * @description Western longitude.
             * @example 11.2
             */
            westBoundLongitude: number | string;
        } & {
            [key: string]: unknown;
        };
        /**
         * GeoLocationPoint
         * @description A point, in degrees of WGS 84.
         */
        GeoLocationPoint: {
            /**
             * @description Latitude, −90 to 90; also as text such as `51° 49′ N`.
             * @example 51.8267
             */
            pointLatitude: number | string;
            /**
             * @description Longitude, −180 to 180; also as text.
             * @example 11.2799
             */
            pointLongitude: number | string;
        } & {
            [key: string]: unknown;
        };
        /**
         * GrantedAccess
         * @description The answered request, and the grant.
         */
        GrantedAccess: {
            grant: components["schemas"]["NewAccessGrant"];
            request: components["schemas"]["AccessRequest"];
        };
        /**
         * Health
         * @description The result of a successful health probe.
         */
        Health: {
            /**
             * @description Always `ok`. Failures are returned as problems.
             * @constant
             */
            status: "ok";
        };
        /**
         * IdentifierType
         * @description Type of the identifier.
         * @enum {unknown}
         */
        IdentifierType: "DOI" | "URN";
        /**
         * IdentityProvider
         * @description The OpenID provider.
         */
        IdentityProvider: {
            /** @description Client id with which web pages sign users in; null if the operator has configured none. */
            clientId: string | null;
            /** @description Issuer identifier of the OpenID provider. */
            issuer: string;
            /** @description Resource to request (RFC 8707); null for none. */
            resource: string | null;
            /** @description Scopes to request from the provider. */
            scope: string;
        };
        /**
         * ImportRemark
         * @description A part of a metadata file that is not used.
         */
        ImportRemark: {
            /** @description Human-readable reason why the value is not used. */
            message: string;
            /** @description JSON pointer, or a line such as `line 12`; empty for the whole file. */
            place: string;
        };
        /**
         * JsonLdDataset
         * @description A version of a dataset in schema.org, DCAT 3 or Croissant 1.1, as JSON-LD.
         */
        JsonLdDataset: {
            /** @description JSON-LD context. */
            "@context": string | {
                [key: string]: unknown;
            };
            /** @description Address of the version. */
            "@id": string;
            /**
             * @description `Dataset` in schema.org, `dcat:Dataset` in DCAT, `sc:Dataset` in Croissant.
             * @enum {unknown}
             */
            "@type": "Dataset" | "dcat:Dataset" | "sc:Dataset";
        } & {
            [key: string]: unknown;
        };
        /**
         * Jwks
         * @description A JSON Web Key Set (RFC 7517).
         */
        Jwks: {
            /** @description Public keys, the current one first. */
            keys: unknown[];
        };
        /**
         * LargeObject
         * @description One of the largest objects.
         */
        LargeObject: {
            /** @description Size in bytes. */
            bytes: number;
            /** @description Key of the object. */
            key: string;
        };
        /**
         * LinkContext
         * @description The links of a resource, by relation.
         */
        LinkContext: {
            /** @description Address of the resource that has the links: the version, a metadata document or a file. */
            anchor: string;
            /** @description ORCID records of the authors. */
            author?: components["schemas"]["LinkTarget"][];
            /** @description Address to cite. */
            "cite-as"?: components["schemas"]["LinkTarget"][];
            /** @description The version to which a file belongs. */
            collection?: components["schemas"]["LinkTarget"][];
            /** @description Metadata in other formats. */
            describedby?: components["schemas"]["LinkTarget"][];
            /** @description The version that a metadata document describes. */
            describes?: components["schemas"]["LinkTarget"][];
            /** @description Files of the version. */
            item?: components["schemas"]["LinkTarget"][];
            /** @description Licence. */
            license?: components["schemas"]["LinkTarget"][];
            /** @description Type of the resource. */
            type?: components["schemas"]["LinkTarget"][];
        };
        /**
         * Linkset
         * @description The links of a version of a dataset (RFC 9264).
         */
        Linkset: {
            /** @description Links of the version first, then those of its metadata documents and of its files. */
            linkset: components["schemas"]["LinkContext"][];
        };
        /**
         * LinkTarget
         * @description The target of a link (RFC 9264, section 4.2.3).
         */
        LinkTarget: {
            /** @description Address of the target. */
            href: string;
            /** @description Profiles that the target conforms to, as URIs. */
            profile?: string[];
            /** @description Media type of the target. */
            type?: string;
        };
        /**
         * MailChoice
         * @description The choice of the caller about e-mail.
         */
        MailChoice: {
            delivery: components["schemas"]["MailDelivery"];
            /** @description Language of the e-mail; null for the language that the operator has chosen. */
            language: components["schemas"]["MailLanguage"] | null;
        };
        /**
         * MailDelivery
         * @description Which e-mail about publications the caller receives: about `each` event, in one e-mail a day (`daily`), or only if `action` of the caller is required. E-mail that asks for an action is sent at once. E-mail about submissions is always sent.
         * @enum {unknown}
         */
        MailDelivery: "each" | "daily" | "action";
        /**
         * MailedParty
         * @enum {unknown}
         */
        MailedParty: "owner" | "curator" | "reader";
        /**
         * MailLanguage
         * @enum {unknown}
         */
        MailLanguage: "en" | "de";
        /**
         * MailPreference
         * @description The choice of the caller about e-mail, and where e-mail goes.
         */
        MailPreference: {
            /** @description Where e-mail about the datasets and reviews of the caller goes: the address that the identity provider has verified and the token of this request contains. Null if there is none: e-mail then goes only to addresses that requests state (`notify`). */
            address: string | null;
            delivery: components["schemas"]["MailDelivery"];
            /** @description Language of the e-mail; null for the language that the operator has chosen. */
            language: components["schemas"]["MailLanguage"] | null;
            /** @description Whether the operator has configured addresses for e-mail to curators about reviews that no curator with a known address has taken. */
            reachesCurators: boolean;
            /** @description Language of e-mail to people who have chosen none; null if the service sends no e-mail. */
            serviceLanguage: components["schemas"]["MailLanguage"] | null;
        };
        /**
         * Metadata
         * @description The description of the dataset and its authors; at most 4 MiB as compact JSON in UTF-8.
         */
        Metadata: {
            /**
             * @description Whom you thank.
             * @example We thank the gardeners of the institute.
             */
            acknowledgements?: string;
            /** @description Identifiers of the same dataset elsewhere. */
            alternateIdentifiers?: components["schemas"]["AlternateIdentifier"][];
            /** @description Authors and contributors. Creators are cited in this order. */
            authors: components["schemas"]["Author"][];
            contact?: components["schemas"]["Contact"];
            /** @description When the data were collected or created, or are valid. */
            dates?: components["schemas"]["MetadataDate"][];
            /**
             * @description Description of the data: content, method and purpose. 50 to 5,000 characters are recommended for search engines.
             * @example Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute
             */
            description?: string;
            /** @description Further descriptions: methods, technical information, translations. */
            descriptions?: components["schemas"]["Description"][];
            /**
             * @description Date as `YYYY-MM-DD` on which an embargo of the files ends. A request for publication proposes it.
             * @example 2027-06-30
             */
            embargoDate?: string;
            fields?: components["schemas"]["Fields"];
            /** @description Funders and grants. */
            fundingReferences?: components["schemas"]["FundingReference"][];
            /** @description Places that the data are about. */
            geoLocations?: components["schemas"]["GeoLocation"][];
            /**
             * @description Language of the data as BCP 47 tag, ISO 639 code or English name.
             * @example en
             */
            language?: string;
            /**
             * @description Licence as SPDX id or expression, web address, or common name such as `CC BY 4.0`.
             * @example CC-BY-4.0
             */
            license?: string;
            /** @description Licences of parts of the dataset, if they differ from `license`. */
            licenses?: components["schemas"]["PartLicense"][];
            /** @description Related publications, datasets and programs. */
            relatedIdentifiers?: components["schemas"]["RelatedIdentifier"][];
            /**
             * @description More exact kind, in your own words.
             * @example Root images
             */
            resourceType?: string;
            /**
             * @description Kind of dataset. The default is `Dataset`. One of `Audiovisual`, `Award`, `Book`, `BookChapter`, `Collection`, `ComputationalNotebook`, `ConferencePaper`, `ConferenceProceeding`, `DataPaper`, `Dataset`, `Dissertation`, `Event`, `Image`, `Instrument`, `InteractiveResource`, `Journal`, `JournalArticle`, `Model`, `OutputManagementPlan`, `PeerReview`, `PhysicalObject`, `Poster`, `Preprint`, `Presentation`, `Project`, `Report`, `Service`, `Software`, `Sound`, `Standard`, `StudyRegistration`, `Text`, `Workflow`, `Other`.
             * @example Image
             */
            resourceTypeGeneral?: string;
            /**
             * @description Keywords.
             * @example [
             *       "barley",
             *       "phenotyping"
             *     ]
             */
            subjects?: string[];
            /** @description Subjects from controlled vocabularies. */
            subjectTerms?: components["schemas"]["SubjectTerm"][];
            /**
             * @description Title of the dataset.
             * @example Barley root images, field season 2026
             */
            title: string;
            /** @description Subtitle, translated and alternative titles. */
            titles?: components["schemas"]["Title"][];
            /**
             * @description Your own name of this version. Without it, the version is its number.
             * @example 2026.1
             */
            versionLabel?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * MetadataChange
         * @description New metadata of a dataset. They replace all metadata.
         */
        MetadataChange: {
            metadata: components["schemas"]["Metadata"];
            /**
             * @description Reason for the change.
             * @example Corrected a name
             */
            note?: string;
        };
        /**
         * MetadataChangedData
         * @description A change of the metadata.
         */
        MetadataChangedData: {
            /** @description Who changed the metadata; empty if the service has written them again after publication. */
            by: string;
            /**
             * Format: uuid
             * @description During a review: id of the dataset.
             */
            dataset?: string;
            /** @description Reason for the change; empty if none was given. */
            note: string;
            /**
             * @description During a review: side on which the metadata were changed.
             * @enum {unknown}
             */
            party?: "owner" | "curator";
            /** @description Number of the metadata revision. */
            revision: number;
            state?: components["schemas"]["PublicationState"];
            /** @description Number of the version that the metadata describe. */
            version: number;
        };
        /** MetadataChangedEvent */
        MetadataChangedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["MetadataChangedData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "metadata_changed";
        };
        /**
         * MetadataDate
         * @description A date or period of the data.
         */
        MetadataDate: {
            /**
             * @description Year, month, day, or two of them with a slash between: `2024`, `2024-05`, `2024-05-17`, `2024-05/2024-07`, `2024/` (open end); before the common era `-0499` or `500 BCE`.
             * @example 2026-05-04/2026-07-27
             */
            date: string;
            /**
             * @description Explanation.
             * @example Field season
             */
            dateInformation?: string;
            /**
             * @description What happened at this time. One of `Collected`, `Created`, `Valid`, `Coverage`, `Copyrighted`, `Accepted`, `Other`.
             * @example Collected
             */
            dateType: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * MetadataFile
         * @description A metadata file at the top level of the selected data.
         */
        MetadataFile: {
            /** @description Size in bytes. */
            bytes: number;
            /** @description Key of the object, or name of the file. */
            key: string;
            kind: components["schemas"]["MetadataFileKind"];
        };
        /**
         * MetadataFileKind
         * @description Format of the file. Later versions can add formats.
         * @enum {unknown}
         */
        MetadataFileKind: "datacite-json" | "datacite-xml" | "ro-crate" | "cff" | "codemeta" | "isa-tab" | "datapackage" | "bids" | "csl" | "readme";
        /**
         * MetadataFileProblem
         * @description Why a metadata file cannot be read.
         */
        MetadataFileProblem: {
            /** @description How to fix the problem. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            /** @description Explanation. It does not quote the file. */
            detail: string;
            fault: components["schemas"]["Fault"];
            /** @description Short summary, the same for every problem with this code. */
            title: string;
        };
        /**
         * MetadataFilesUpload
         * @description Metadata files of a dataset.
         */
        MetadataFilesUpload: {
            /** @description The files, at most 10. */
            files: components["schemas"]["MetadataFileUpload"][];
        };
        /**
         * MetadataFileUpload
         * @description A metadata file.
         */
        MetadataFileUpload: {
            /** @description Content in Base64; at most 2 MiB. */
            content: string;
            /** @description Name of the file, without folders. It states the format. */
            name: string;
        };
        /**
         * MetadataRevision
         * @description A state of the metadata of a version.
         */
        MetadataRevision: {
            /**
             * Format: date-time
             * @description Time since which they are valid.
             */
            changedAt: string;
            /** @description Who sent these metadata; empty if the service has written them again after publication, without a change, with the identifier and the day of publication. */
            changedBy: string;
            /** @description Reason for the change; empty if none was given. */
            note: string;
            /** @description Number of the metadata revision; 1 for the metadata of the submission. */
            revision: number;
            /** @description Number of the version that the metadata describe. */
            version: number;
        };
        /**
         * MetadataSuggestions
         * @description Values that metadata files suggest for the metadata of a dataset.
         */
        MetadataSuggestions: {
            /** @description The files in the order of precedence; at most 10. */
            files: components["schemas"]["ReadMetadataFile"][];
            /** @description For each field in `values`, the `key` of the file that it comes from. */
            sources: {
                [key: string]: string;
            };
            values: components["schemas"]["SuggestedMetadata"];
        };
        /**
         * MetadataSummary
         * @description A part of the submitted metadata, of limited size.
         */
        MetadataSummary: {
            /** @description First 3 authors. Each text is cut to 100 characters. */
            authors: components["schemas"]["AuthorSummary"][];
            /** @description Number of authors. */
            authorsTotal: number;
            /** @description Description, cut to 300 characters. */
            description?: string;
            /** @description End of the embargo as submitted. */
            embargoDate?: string;
            /** @description Language as submitted. */
            language?: string;
            /** @description Licence as submitted. */
            license?: string;
            /** @description First 5 keywords. */
            subjects: string[];
            /** @description Number of keywords. */
            subjectsTotal: number;
            /** @description Title, cut to 300 characters. */
            title: string;
        };
        /**
         * MissingFile
         * @description A file of a digest list that the source does not have.
         */
        MissingFile: {
            /** @description Its stated digests in lower-case hexadecimal, by algorithm. */
            digests: {
                [key: string]: string;
            };
            /** @description Key that the object would have, or path of the file in the upload. */
            key: string;
        };
        /**
         * MonthUsage
         * @description Use in one month. `regular`: by people with a browser. `machine`: by programs, such as scripts.
         */
        MonthUsage: {
            machine: components["schemas"]["UsageCounts"];
            /** @description `YYYY-MM`, UTC. */
            month: string;
            regular: components["schemas"]["UsageCounts"];
        };
        /**
         * NamedFiles
         * @description Files, of which the first are named.
         */
        NamedFiles: {
            /** @description The first 100 of them, by key. */
            keys: string[];
            /** @description Number of files. */
            total: number;
        };
        /**
         * NewAccessGrant
         * @description A grant, with the secret of its link.
         */
        NewAccessGrant: {
            /**
             * Format: date-time
             * @description Time of the grant.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Time at which it ends; null if it does not. */
            expiresAt: string | null;
            /** @description Time of the first use; null before it. */
            firstUsedAt: string | null;
            /** @description Who granted it. */
            grantedBy: string;
            /**
             * Format: uuid
             * @description Id of the grant.
             */
            id: string;
            /** @description Whether it opens files now. */
            inForce: boolean;
            kind: components["schemas"]["AccessGrantKind"];
            /** @description What the grant is for; can be empty. */
            note: string;
            /** @description Owner name or e-mail address; null for a link. */
            person: string | null;
            /** @description Time at which it was revoked; null if it was not. */
            revokedAt: string | null;
            /** @description Who revoked it. */
            revokedBy: string | null;
            /** @description Secret of a link, to be sent as `Authorization: Bearer`. It is returned only once. Null for people. */
            secret: string | null;
            /** @description Address of the link for people, with the secret behind `#`. Null for people. */
            url: string | null;
            /** @description Time of the last use; null before the first. */
            usedAt: string | null;
            /** @description How often it was used: the sum over what was read (`listAccessGrantUses`). */
            uses: number;
            /** @description Version whose files it opens; null for all published versions. */
            version: number | null;
        };
        /**
         * NewCredentials
         * @description Credentials with which the submission continues.
         */
        NewCredentials: {
            s3Access?: components["schemas"]["NewS3Access"];
        };
        /**
         * NewReviewerLink
         * @description A reviewer link with its address.
         */
        NewReviewerLink: {
            /** @description Whether the view excludes people and institutions. */
            anonymous: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /** @description Who created the link. */
            createdBy: string;
            /**
             * Format: date-time
             * @description Time until which the link can be used.
             */
            expiresAt: string;
            /** @description Number of files that describe the dataset and are excluded from an anonymous view. */
            filesLeftOut: number;
            /** @description For an anonymous link: places to check before the address is sent; the first 200. */
            findings: components["schemas"]["AnonymityFinding"][];
            /** @description Number of these places. */
            findingsTotal: number;
            /**
             * Format: uuid
             * @description Id of the link, not its secret.
             */
            id: string;
            /** @description Label for the owner and curators; can be empty. Reviewers do not see it. */
            label: string;
            /** @description Time of the last visit; null before the first. */
            lastVisitAt: string | null;
            /** @description Time of revocation; null if it was not revoked. */
            revokedAt: string | null;
            /** @description Who revoked the link; null if it was not revoked. */
            revokedBy: string | null;
            /**
             * @description Whether the link can be used.
             * @enum {unknown}
             */
            state: "usable" | "expired" | "revoked";
            /** @description Address for reviewers. It contains the secret after `#`, which browsers do not send to servers. It is returned only once. */
            url: string;
            /** @description Version that the link opens. */
            version: number;
            /** @description How often the view was opened. Nothing about visitors is stored. */
            visits: number;
        };
        /**
         * NewReviewerLinkRequest
         * @description The reviewer link to create.
         */
        NewReviewerLinkRequest: {
            /** @description Whether the view excludes people and institutions. Default: true. */
            anonymous?: boolean;
            /**
             * Format: date-time
             * @description Time until which the link can be used, at most one year from now. Default: in 90 days.
             */
            expiresAt?: string;
            /** @description Label for the owner and curators, such as the journal. */
            label?: string;
        };
        /**
         * NewS3Access
         * @description New credentials. A different endpoint or bucket is rejected.
         */
        NewS3Access: {
            /**
             * @description Access key id. Required unless `anonymous` is true or `roleArn` is given.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description Whether the bucket is public and is read without credentials. */
            anonymous?: boolean;
            /**
             * @description Name of the bucket, without address or path. On servers with tenants, it can be `tenant:bucket`, as the server expects it.
             * @example barley-roots
             */
            bucket?: string;
            /**
             * @description Address of the S3 server. Without a scheme, `https` is used.
             * @example https://s3.example.org
             */
            endpoint?: string;
            /** @description Whether requests use path-style addresses (`host/bucket`) instead of virtual-hosted ones (`bucket.host`). Default: detected from the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region of the bucket. Default: detected automatically.
             * @example eu-central-1
             */
            region?: string;
            /** @description Whether the owner of the access key pays for requests and downloads, which requester-pays buckets require. Requests then have the header `x-amz-request-payer`. */
            requesterPays?: boolean;
            /**
             * @description ARN of a role with which the service reads the bucket, instead of keys. Its trust policy must require your external id (`GET /caller`).
             * @example arn:aws:iam::123456789012:role/barley-roots-reader
             */
            roleArn?: string;
            /** @description Secret access key. It is stored encrypted and erased when it is no longer needed. */
            secretKey?: string;
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        };
        /**
         * NewToken
         * @description A token with its secret text.
         */
        NewToken: {
            /**
             * Format: date-time
             * @description Time at which the token was created.
             */
            createdAt: string;
            /** @description Time at which the token expires; null if it does not. */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description Id of the token, not the token itself.
             */
            id: string;
            /** @description Time of the last use, accurate to the hour; null if unused. */
            lastUsedAt: string | null;
            /** @description Owner name under which the holder acts. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description Secret text of the token. It is returned only once. */
            token: string;
        };
        /**
         * NewTokenRequest
         * @description The token to create.
         */
        NewTokenRequest: {
            /** @description Time at which the token expires; null for never. Default: in one year. */
            expiresAt?: string | null;
            /** @description Owner name under which the holder acts. Several tokens can have the same name. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * NewWebhook
         * @description A webhook with its secret.
         */
        NewWebhook: {
            /**
             * Format: date-time
             * @description Time at which the webhook was registered.
             */
            createdAt: string;
            deliveredAt: string | null;
            disabledAt: string | null;
            disabledBecause: ("gone" | "failing") | null;
            /** @description Event types that the webhook receives; null for all types, including types that later versions add. */
            events: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "metadata_changed" | "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "doi_reserved" | "reservation_delayed" | "registering" | "registration_delayed" | "published" | "access_changed" | "access_requested" | "access_reminder" | "access_granted" | "access_refused" | "access_revoked" | "publication_withdrawn" | "publication_reminder" | "embargo_ending" | "embargo_ended" | "withdrawn")[] | null;
            /**
             * @description Format of deliveries.
             * @enum {unknown}
             */
            format: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            id: string;
            oldKeysUntil: string | null;
            /** @description Owner of the webhook. Without `submission`, it receives events of all submissions of this owner. */
            owner: string;
            /** @description Public key for `v1a` signatures: `whpk_` and the Ed25519 key in Base64. */
            publicKey: string;
            /** @description Secret for `v1` signatures: `whsec_` and the key in Base64. It is returned only once. */
            secret: string;
            submission: string | null;
            /** @description Address to which deliveries are sent. */
            url: string;
        };
        /**
         * NewWebhookRequest
         * @description The webhook to register.
         */
        NewWebhookRequest: {
            /** @description Event types that the webhook receives; null for all types, including types that later versions add. */
            events?: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "metadata_changed" | "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "doi_reserved" | "reservation_delayed" | "registering" | "registration_delayed" | "published" | "access_changed" | "access_requested" | "access_reminder" | "access_granted" | "access_refused" | "access_revoked" | "publication_withdrawn" | "publication_reminder" | "embargo_ending" | "embargo_ended" | "withdrawn")[] | null;
            /**
             * @description Format of deliveries: `json` (default), or `cloudevents` for CloudEvents 1.0 in structured mode.
             * @enum {unknown}
             */
            format?: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Id of a submission. The webhook then receives all events of this submission, including past ones. Default: new events of all submissions of the caller.
             */
            submission?: string;
            /**
             * @description Address to which deliveries are sent by POST. `http://` is allowed only in networks that the operator permits.
             * @example https://lab.example.org/accession
             */
            url: string;
        };
        /**
         * Notice
         * @description A delivery in the payload structure of Standard Webhooks.
         */
        Notice: {
            data: components["schemas"]["NoticeData"];
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            type: components["schemas"]["NoticeType"];
        };
        /**
         * NoticeData
         * @description The event and its submission.
         */
        NoticeData: {
            /** @description Number of the attempt. */
            attempt: number;
            /**
             * @description Set if texts were shortened or omitted. `links.event` has the complete event.
             * @constant
             */
            cut?: true;
            /** @description `data` of the event; null if it has none or if it is too long for a delivery. */
            details: (components["schemas"]["CompletedData"] | components["schemas"]["MetadataChangedData"] | components["schemas"]["PublicationData"] | components["schemas"]["AccessData"] | components["schemas"]["PublishedData"] | components["schemas"]["ReminderData"] | components["schemas"]["ReservationDelayData"] | components["schemas"]["AccessReminderData"] | components["schemas"]["DelayData"] | components["schemas"]["EmbargoData"] | components["schemas"]["VersionData"] | components["schemas"]["StandstillData"] | components["schemas"]["WithdrawalData"]) | null;
            /** @description Number of the event in the event history of the submission. Events are ordered by it. */
            event: number;
            links: components["schemas"]["NoticeLinks"];
            /** @description Human-readable description. */
            message: string;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            submission: string;
            /** @description Title of the submission. */
            title: string;
        };
        /**
         * NoticeLinks
         * @description Addresses of related resources.
         */
        NoticeLinks: {
            /**
             * Format: uri
             * @description Address of the dataset, once the submission is completed.
             */
            dataset?: string;
            /**
             * Format: uri
             * @description Address of the complete event.
             */
            event: string;
            /**
             * Format: uri
             * @description Address of the receipt, once the submission is completed.
             */
            receipt?: string;
            /**
             * Format: uri
             * @description Address of the submission.
             */
            submission: string;
        };
        /**
         * NoticeType
         * @description `submission.` and the type of the event. Later versions can add types.
         * @enum {unknown}
         */
        NoticeType: "submission.accepted" | "submission.listing" | "submission.transferring" | "submission.verifying" | "submission.packaging" | "submission.completed" | "submission.waiting" | "submission.resumed" | "submission.failed" | "submission.retried" | "submission.cancelled" | "submission.metadata_changed" | "submission.publication_requested" | "submission.publication_assigned" | "submission.publication_commented" | "submission.comment_resolved" | "submission.changes_requested" | "submission.publication_declined" | "submission.publication_approved" | "submission.publication_taken_back" | "submission.doi_requested" | "submission.doi_reserved" | "submission.reservation_delayed" | "submission.registering" | "submission.registration_delayed" | "submission.published" | "submission.access_changed" | "submission.access_requested" | "submission.access_reminder" | "submission.access_granted" | "submission.access_refused" | "submission.access_revoked" | "submission.publication_withdrawn" | "submission.publication_reminder" | "submission.embargo_ending" | "submission.embargo_ended" | "submission.withdrawn";
        /**
         * Notify
         * @description The recipient of e-mails about the submission, upload or publication.
         */
        Notify: {
            /**
             * @description E-mail address that is notified when the submission is accepted, requires action by the submitter, is completed or fails; for an upload, before it expires; in a request for publication, when the owner must act, and about comments and outcomes. It is stored while needed and is not part of the package.
             * @example ada@example.org
             */
            email?: string;
        };
        /**
         * ObjectTotals
         * @description Number and total size of objects.
         */
        ObjectTotals: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            /** @description Number of objects. */
            objects: number;
        };
        /**
         * OwnQueueCounts
         * @description The numbers of the datasets of the caller.
         */
        OwnQueueCounts: {
            /** @description Published with closed files, and with requests for access that nobody has answered. */
            access: number;
            /** @description Approved, not published. */
            approved: number;
            /** @description Waiting for the owner’s changes. */
            author: number;
        };
        /**
         * PageParts
         * @description The parts of the page of a version as HTML, for the web page of this service: those of the landing page, with what the caller may see. Texts of the dataset are escaped.
         */
        PageParts: {
            /** @description How the version is cited. Reviewers do not get it. */
            citation?: string;
            /** @description Description, further descriptions and acknowledgements. */
            description: string;
            /** @description Collections and further metadata. */
            details: string;
            /** @description Links to the metadata in all formats. Reviewers do not get them. */
            exports?: string;
            /** @description Related works, funding, places, and the operator’s fields. */
            further: string;
            /** @description What follows the title: further titles, people, and the version. */
            heading: string;
        };
        /**
         * PartLicense
         * @description A licence that applies to a part of the dataset.
         */
        PartLicense: {
            /**
             * @description The part, such as `code` or `documentation`.
             * @example code
             */
            appliesTo?: string;
            /**
             * @description Licence, in the same forms as `license` of the dataset.
             * @example MIT
             */
            license: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Place
         * @description What a comment or a finding is about: a metadata field or a file.
         */
        Place: components["schemas"]["FieldPlace"] | components["schemas"]["FilePlace"];
        /** PlainEvent */
        PlainEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            /** @description Null. Later versions can add data. */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "listing" | "digests_read" | "transferring" | "verifying" | "packaging" | "publishing" | "credentials_replaced" | "resumed" | "retried" | "cancelled" | "removed";
        };
        /**
         * Preview
         * @description The objects that a submission of the bucket would archive.
         */
        Preview: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            changes?: components["schemas"]["PreviewChanges"];
            /** @description Whether the listing was completed within 10 seconds. */
            complete: boolean;
            digests?: components["schemas"]["PreviewDigests"];
            /** @description Rough estimate of the transfer time in seconds. */
            estimatedSeconds: number | null;
            /** @description Whether the archive currently has enough free space. */
            fits: boolean;
            /** @description Folders in the order of their paths, up to three levels deep; at most the first 500 of each level. */
            folders: components["schemas"]["PreviewFolder"][];
            /** @description Whether `folders` contains all top-level folders. False if they exceed the limits of `folders` or the listing was not completed. */
            foldersComplete: boolean;
            /** @description Largest objects. */
            largest: components["schemas"]["LargeObject"][];
            /** @description Listed objects that are not selected. */
            leftOut: components["schemas"]["ObjectTotals"];
            /** @description Metadata files at the top level of the selected data, from which `importBucketMetadata` suggests values; at most 10. */
            metadataFiles: components["schemas"]["MetadataFile"][];
            /** @description Human-readable notes on content that is not archived. */
            notes: string[];
            /** @description Number of objects. */
            objects: number;
            /** @description First keys whose logical path differs from the key. */
            renamed: components["schemas"]["RenamedKey"][];
            /** @description Number of keys whose logical path differs from the key. */
            renamedTotal: number;
            /** @description Free space in the archive in bytes; null for object stores, which do not report it. */
            room: number | null;
            /** @description The 20 file types with the largest total size, largest first. */
            types: components["schemas"]["PreviewFileType"][];
            unpacking: components["schemas"]["Unpacking"];
            /** @description Storage classes whose objects must be restored first. */
            unreadableStorageClasses: components["schemas"]["UnreadableStorageClass"][];
        };
        /**
         * PreviewChanges
         * @description Differences between a new version and the previous one.
         */
        PreviewChanges: {
            /** @description Objects that the previous version does not contain. */
            added: components["schemas"]["ObjectTotals"];
            /** @description Objects of the previous version that have changed or may have changed. */
            changed: components["schemas"]["ObjectTotals"];
            /** @description Objects that only the previous version contains; null if the listing was not completed. */
            removed: components["schemas"]["ObjectTotals"] | null;
            /** @description Whether the new version has the same bucket as the previous one and `selection.refetch` is not true. If false, all objects are read. */
            sameSource: boolean;
            /** @description Number of the previous version. */
            since: number;
            /** @description Objects to read: added and changed ones. `estimatedSeconds` and `fits` refer to them. */
            toRead: components["schemas"]["ObjectTotals"];
            /** @description Objects with the same size and ETag as in the previous version. They are not read again. */
            unchanged: components["schemas"]["ObjectTotals"];
        };
        /**
         * PreviewDigestComparison
         * @description The files of the digest lists, compared with the listed objects.
         */
        PreviewDigestComparison: {
            /** @description Listed objects that no list names, without the lists and tag files of a bag. */
            additional: components["schemas"]["NamedFiles"];
            /** @description Number of listed files that the selection contains. */
            files: number;
            /** @description Listed files that the bucket does not have; null if the listing was not completed. */
            missing: components["schemas"]["NamedFiles"] | null;
            /** @description Number of listed files that the selection leaves out. */
            notSelected: number;
        };
        /**
         * PreviewDigests
         * @description The digest lists of a preview, and the manifests of a bag.
         */
        PreviewDigests: {
            /** @description Comparison with the listing; null if a list cannot be used, or if the lists have more than 200,000 files or 64 MiB. */
            comparison: components["schemas"]["PreviewDigestComparison"] | null;
            /** @description The lists that were sent or recognised. */
            lists: components["schemas"]["PreviewedDigestList"][];
        };
        /**
         * PreviewedDigestList
         * @description A digest list that a submission would use.
         */
        PreviewedDigestList: {
            /** @description Number of checksums in the list, as far as it was read. */
            entries: number;
            /** @description Name of the file, or its key; empty if unknown. */
            name: string;
            /**
             * @description Where the list is: in the request, in the source, or in the source as a manifest of a bag.
             * @enum {unknown}
             */
            origin: "request" | "source" | "bag";
            /** @description Why the submission could not use the list; null if it could. */
            problem: components["schemas"]["DigestListProblem"] | null;
        };
        /**
         * PreviewFileType
         * @description Objects with the same file extension.
         */
        PreviewFileType: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            /** @description File extension in lower case, without the dot; empty for keys without one. */
            extension: string;
            /** @description Number of objects. */
            objects: number;
        };
        /**
         * PreviewFolder
         * @description A folder, including its subfolders.
         */
        PreviewFolder: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            /** @description Whether `folders` contains all direct subfolders. False if they exceed the limits of `folders` or the listing was not completed. */
            foldersComplete: boolean;
            /** @description Objects in the folder that are not selected. */
            leftOut: components["schemas"]["ObjectTotals"];
            /** @description Number of objects. */
            objects: number;
            /** @description Common prefix of the keys, with the final slash. */
            path: string;
        };
        /**
         * PreviewRequest
         * @description The bucket to preview, and the dataset to which it would add a version.
         */
        PreviewRequest: {
            /**
             * @description Access key id. Required unless `anonymous` is true or `roleArn` is given.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description Whether the bucket is public and is read without credentials. */
            anonymous?: boolean;
            /**
             * @description Name of the bucket, without address or path. On servers with tenants, it can be `tenant:bucket`, as the server expects it.
             * @example barley-roots
             */
            bucket: string;
            dataset?: components["schemas"]["DatasetReference"];
            /** @description Lists of checksums that were computed where the data were produced. Every listed file is compared before the dataset is packaged. An empty list ignores the manifests of a bag (RFC 8493), which are used otherwise. */
            digests?: components["schemas"]["DigestList"][];
            /**
             * @description Address of the S3 server. Without a scheme, `https` is used.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description Whether requests use path-style addresses (`host/bucket`) instead of virtual-hosted ones (`bucket.host`). Default: detected from the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region of the bucket. Default: detected automatically.
             * @example eu-central-1
             */
            region?: string;
            /** @description Whether the owner of the access key pays for requests and downloads, which requester-pays buckets require. Requests then have the header `x-amz-request-payer`. */
            requesterPays?: boolean;
            /**
             * @description ARN of a role with which the service reads the bucket, instead of keys. Its trust policy must require your external id (`GET /caller`).
             * @example arn:aws:iam::123456789012:role/barley-roots-reader
             */
            roleArn?: string;
            /** @description Secret access key. It is stored encrypted and erased when it is no longer needed. */
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
            /** @description How to fix the problem. */
            action: string;
            /** @description Actions that the caller can take in this state. */
            actions?: components["schemas"]["PublicationAction"][];
            /** @description Findings of the automatic checks. */
            checks?: components["schemas"]["PublicationCheck"][];
            code: components["schemas"]["ProblemCode"];
            /** @description Explanation of this occurrence. It never contains an access key or a secret key. */
            detail: string;
            /** @description First day on which the files are open (YYYY-MM-DD, UTC). */
            embargoDate?: string;
            /** @description All errors in the request; at most the first 1,000. */
            errors?: components["schemas"]["Remark"][];
            fault: components["schemas"]["Fault"];
            /** @description URN with the id of the request, as in the log and in `X-Request-Id`. Absent if the request could not be parsed. */
            instance?: string;
            quota?: components["schemas"]["QuotaExceeded"];
            /** @description Region of the bucket, as reported by the source. */
            region?: string;
            report?: components["schemas"]["Report"];
            /** @description Page on which readers ask for access to the files. */
            requestAccess?: string;
            /** @description Error code of the source, such as `AccessDenied`. */
            s3Code?: string;
            state?: components["schemas"]["PublicationState"];
            /** @description HTTP status of the response. */
            status: number;
            /** @description Id of the submission that was created with this Idempotency-Key. */
            submission?: string;
            /** @description Short summary, the same for every problem with this code. */
            title: string;
            tombstone?: components["schemas"]["Tombstone"];
            /** @description `urn:accession:problem:` and the code. */
            type: string;
            /** @description Warnings about the request. */
            warnings?: components["schemas"]["Remark"][];
            withdrawn?: components["schemas"]["WithdrawnPublication"];
        };
        /**
         * ProblemCode
         * @description Stable error code. docs/errors.md lists who must act and how to fix each problem. Later versions can add codes.
         * @enum {unknown}
         */
        ProblemCode: "malformed_json" | "malformed_multipart" | "bad_request" | "body_too_large" | "unsupported_media_type" | "headers_too_large" | "request_timeout" | "unauthenticated" | "token_invalid" | "identity_unavailable" | "forbidden" | "rate_limited" | "quota_exceeded" | "not_found" | "method_not_allowed" | "foreign_origin" | "foreign_host" | "precondition_failed" | "range_not_satisfiable" | "invalid_request" | "idempotency_conflict" | "last_admin" | "wrong_state" | "too_late" | "metadata_conflict" | "if_match_required" | "dataset_busy" | "change_replaced" | "revision_limit" | "dataset_moved_on" | "dataset_withdrawn" | "retry_expired" | "credentials_required" | "source_check_failed" | "source_timeout" | "source_empty" | "archive_unreadable" | "content_damaged" | "no_tokens_here" | "unavailable" | "internal_error" | "required" | "wrong_type" | "wrong_value" | "too_long" | "metadata_too_large" | "metadata_file_invalid" | "import_busy" | "metadata_file_unknown" | "too_short" | "unknown_member" | "misspelt_member" | "duplicate_member" | "more_errors" | "unknown_parameter" | "creator_required" | "creator_name_required" | "orcid_invalid" | "ror_invalid" | "term_unknown" | "identifier_invalid" | "address_invalid" | "mail_address_invalid" | "date_invalid" | "coordinate_invalid" | "embargo_date_invalid" | "field_group_unknown" | "field_unknown" | "language_unknown" | "endpoint_invalid" | "region_invalid" | "bucket_name_invalid" | "access_key_invalid" | "secret_key_invalid" | "session_token_invalid" | "keys_not_wanted" | "role_invalid" | "requester_unknown" | "prefix_invalid" | "pattern_invalid" | "idempotency_key_invalid" | "not_unreadable" | "nothing_left" | "role_unknown" | "name_ambiguous" | "author_name_missing" | "license_unknown" | "license_missing" | "field_group_retired" | "field_group_missing" | "field_values_outdated" | "embargo_date_past" | "embargo_date_unused" | "country_unknown" | "description_missing" | "description_short" | "description_long" | "affiliation_recovered" | "affiliation_unclear" | "more_warnings" | "bucket_in_endpoint" | "address_unresolvable" | "name_lookup_failed" | "address_refused" | "connection_refused" | "connection_timeout" | "connection_reset" | "network_unreachable" | "tls_untrusted" | "tls_expired" | "tls_wrong_host" | "tls_not_spoken" | "tls_expected" | "not_s3" | "redirected" | "wrong_region" | "clock_skewed" | "access_key_unknown" | "secret_key_wrong" | "credentials_expired" | "account_suspended" | "usage_limit_reached" | "anonymous_denied" | "bucket_missing" | "requester_pays_required" | "list_denied" | "read_denied" | "key_denied" | "roles_off" | "role_denied" | "role_unprotected" | "sts_refused" | "sts_unavailable" | "slow_down" | "source_error" | "source_refused" | "credentials_rejected" | "source_unreachable" | "source_changed" | "source_blocked" | "listing_invalid" | "key_too_long" | "listing_loop" | "object_gone" | "object_changed" | "object_denied" | "object_key_denied" | "object_archived" | "object_encrypted" | "object_length_wrong" | "object_unreadable" | "source_corrupt" | "objects_unreadable" | "no_space" | "archive_unwritable" | "already_published" | "archive_newer" | "waited_too_long" | "verification_failed" | "retry_requested" | "too_many_webhooks" | "webhook_disabled" | "webhook_url_invalid" | "webhook_refused" | "email_invalid" | "mail_off" | "publication_off" | "publication_state" | "publication_conflict" | "publication_not_ready" | "self_approval" | "agreement_required" | "approved_metadata" | "doi_off" | "not_public" | "embargoed" | "publication_withdrawn" | "not_published" | "access_not_needed" | "access_answered" | "access_limit" | "reviewer_link_unknown" | "reviewer_link_expired" | "reviewer_link_revoked" | "reviewed_withdrawn" | "too_many_reviewer_links" | "datacite_unreachable" | "datacite_busy" | "datacite_credentials" | "datacite_forbidden" | "datacite_domain" | "datacite_draft_left" | "datacite_rejected" | "datacite_schema" | "datacite_event_ignored" | "doi_not_registered" | "doi_elsewhere" | "doi_taken" | "collection_licence" | "collection_curators" | "collection_conflict" | "too_many_collections" | "uploads_off" | "upload_offset_wrong" | "upload_taken_over" | "upload_too_long" | "upload_checksum_wrong" | "upload_digest_wrong" | "upload_path_taken" | "upload_needs_tus" | "upload_submitted" | "upload_incomplete" | "upload_arriving" | "upload_changed" | "upload_metadata_differ" | "upload_too_many_files" | "upload_too_many_parts" | "upload_joined" | "upload_empty" | "too_many_uploads" | "tus_version_unknown" | "upload_unreadable" | "digest_format_unknown" | "digest_line_invalid" | "digest_path_invalid" | "digest_contradicted" | "digest_list_empty" | "digest_list_unreadable" | "digest_list_invalid" | "digest_files_missing" | "digest_differs";
        /**
         * Progress
         * @description Progress of a submission. It never decreases within an attempt.
         */
        Progress: {
            /** @description Total size of these objects in bytes. */
            bytesListed: number;
            /** @description Average transfer rate since the transfer started or resumed, in bytes per second; null if no data is transferred. */
            bytesPerSecond: number | null;
            /** @description Total size of these objects in bytes. */
            bytesStored: number;
            /** @description Whether the listing is complete. Until then, the listed counts increase. */
            listingComplete: boolean;
            /** @description Number of excluded objects. */
            objectsExcluded: number;
            /** @description Number of unreadable objects that are not excluded. */
            objectsFailed: number;
            /** @description Number of selected objects. */
            objectsListed: number;
            /** @description Number of objects that are stored and verified. */
            objectsStored: number;
            /** @description Estimated remaining time in seconds; null without recent progress. */
            secondsLeft: number | null;
            /** @description Set if the source has sent no data for 10 seconds while the service is reading from it. */
            stalled: components["schemas"]["Stalled"] | null;
        };
        /**
         * Publication
         * @description The publication of a dataset version.
         */
        Publication: {
            /**
             * @description Who may read the files. In the states `private`, `changes_requested` and `declined`: the choice that the next request proposes, which is the embargo of the metadata if it is not over.
             * @enum {unknown}
             */
            access: "open" | "embargoed" | "restricted";
            /** @description Reason for the access; can be empty. */
            accessReason: string;
            /** @description Actions that the caller can take now. */
            actions: components["schemas"]["PublicationAction"][];
            /** @description The deposit agreement that was accepted. */
            agreement: components["schemas"]["AcceptedAgreement"] | null;
            /** @description Who approved publication. */
            approvedBy: string | null;
            /** @description Metadata revision that was requested or approved. */
            approvedRevision: number | null;
            /** @description Curator who reviews the dataset. */
            assignee: string | null;
            /** @description Whether `assignee` is a curator or admin now. If not, the dataset is in the queue `new`. Null without a curator. */
            assigneeIsCurator: boolean | null;
            /** @description Failed attempts to register the identifier. */
            attempts: number;
            /** @description Findings of the automatic checks. */
            checks: components["schemas"]["PublicationCheck"][];
            /** @description Ids of the collections for which the owner asked with the last request. Empty for readers who are neither owner nor curator. */
            collections: string[];
            comments: components["schemas"]["CommentCount"];
            /** @description Registered DOI that stands for all versions of the dataset and leads to the newest one; null if there is none. */
            conceptDoi: string | null;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description DOI of the version, if one was chosen. */
            doi: string | null;
            /** @description Whether the DOI is being reserved (`doi` is null until DataCite has confirmed it), reserved, being registered, registered, or hidden: it was public when the publication was taken back, and leads to a notice until the version is published. Only a registered DOI can be cited. */
            doiState: ("reserving" | "reserved" | "registering" | "registered" | "hidden") | null;
            /** @description First day on which embargoed files are open, in UTC. */
            embargoDate: string | null;
            /** @description Whether the public can read the files now. */
            filesOpen: boolean;
            /** @description Whether the caller can read the files now: the public can, or the caller is owner or curator, or was granted access. */
            filesReadable: boolean;
            /** @description Decisions and comments, oldest first: the newest 200, or those before the entry `before`. */
            history: components["schemas"]["PublicationEntry"][];
            /** @description Value of `before` that returns the preceding entries of the history; null if there are none. */
            historyBefore: number | null;
            /** @description Identifier under which the version is published: a DOI as URL, or a URN. */
            identifier: string | null;
            identifierType: components["schemas"]["IdentifierType"] | null;
            /** @description Whether people must know of the problem: somebody must act, or the service has tried again for 15 minutes. Until then, the registration is in progress. */
            isDelayed: boolean;
            /** @description Collections to which the dataset belongs. Empty for readers who are neither owner nor curator. */
            memberOf: components["schemas"]["CollectionMembership"][];
            /** @description Time of the next attempt, while the identifier is being registered or a change for DataCite is delayed. */
            nextAttemptAt: string | null;
            /** @description Whether the owner receives e-mail about the publication: an address is known, and the mail server accepts it. */
            notified: boolean;
            /** @description Why the last attempt of the registration or the reservation of the DOI, or of a later change at DataCite, failed. */
            problem: components["schemas"]["PublicationProblem"] | null;
            /** @description Time of publication. */
            publishedAt: string | null;
            /** @description Whether approval starts publication. */
            publishOnApproval: boolean;
            /** @description Who requested publication. */
            requestedBy: string | null;
            /** @description SHA-512 of the inventory that was approved. */
            reviewedSha512: string | null;
            /** @description Number of the newest metadata revision. */
            revision: number;
            /** @description Whether the public sees where the data came from, in the packages and files of the version. */
            showSource: boolean;
            /**
             * Format: date-time
             * @description Since when it has this state.
             */
            since: string;
            state: components["schemas"]["PublicationState"];
            /** @description Number of the version. */
            version: number;
            /** @description Who must act next; null if no action is required. */
            waitingFor: ("owner" | "curator" | "service" | "operator") | null;
            /** @description Time of the withdrawal. */
            withdrawnAt: string | null;
            /** @description Reason for the withdrawal. */
            withdrawnReason: string | null;
        };
        /**
         * PublicationAccessChange
         * @description New access to the files of a published version.
         */
        PublicationAccessChange: {
            access: components["schemas"]["DatasetAccess"];
            /** @description First day on which the files are open (YYYY-MM-DD, UTC). Mandatory if and only if `access` is `embargoed`. */
            embargoDate?: string;
            /** @description Reason for the access. Mandatory for an embargo, and for each change. */
            reason?: string;
        };
        /**
         * PublicationAction
         * @description An action, as in `POST /dataset/{id}/publication/{action}`.
         * @enum {unknown}
         */
        PublicationAction: "request" | "assign" | "comment" | "resolve" | "request-changes" | "decline" | "approve" | "take-back" | "reserve-doi" | "publish" | "change-access" | "withdraw";
        /**
         * PublicationAssignment
         * @description The curator who reviews the dataset.
         */
        PublicationAssignment: {
            /** @description Owner name of the curator; null removes the assignment. */
            curator: string | null;
        };
        /**
         * PublicationCheck
         * @description A finding of the automatic checks before publication.
         */
        PublicationCheck: {
            /**
             * @description Stable code. Later versions can add codes.
             * @enum {unknown}
             */
            code: "licence_missing" | "licence_unknown" | "description_missing" | "description_short" | "embargo_differs" | "readme_missing" | "files_empty" | "files_personal" | "files_damaged" | "objects_excluded" | "doi_domain" | "doi_account" | "datacite_schema" | "agreement_changed" | "fair_incomplete" | "collection_licence";
            /** @description Human-readable finding. */
            message: string;
            /** @description What to do about it. */
            nextStep: string;
            place?: components["schemas"]["Place"];
            /** @description For `fair_incomplete`: the recommendations that the dataset does not fulfil. */
            points?: components["schemas"]["FairPoint"][];
            /**
             * @description `error` prevents publication, `warning` needs attention, `hint` suggests an improvement.
             * @enum {unknown}
             */
            severity: "error" | "warning" | "hint";
        };
        /**
         * PublicationComment
         * @description A comment.
         */
        PublicationComment: {
            /** @description Number of the comment that this one answers. */
            answers?: number;
            /** @description What the owner should know; cannot be empty. */
            comment: string;
            place?: components["schemas"]["Place"];
        };
        /**
         * PublicationData
         * @description An action about the publication of a version.
         */
        PublicationData: {
            /** @description Who acted. */
            by: string;
            /** @description Comment or reason; can be empty. */
            comment: string;
            /** @description New curator, for an assignment; null if it was removed. */
            curator?: string | null;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description For `comment_resolved`: number of the comment. */
            entry?: number;
            /** @description Curator before the assignment; null if there was none. */
            former?: string | null;
            /**
             * @description Side on which the person acted.
             * @enum {unknown}
             */
            party?: "owner" | "curator";
            place?: components["schemas"]["Place"];
            /** @description For `comment_resolved`: whether the comment was resolved, or reopened. */
            resolved?: boolean;
            /** @description Number of the metadata revision. */
            revision: number;
            state: components["schemas"]["PublicationState"];
            /** @description Number of the version. */
            version: number;
        };
        /**
         * PublicationDecision
         * @description A decision that the owner must understand.
         */
        PublicationDecision: {
            /** @description What the owner should know; cannot be empty. */
            comment: string;
        };
        /**
         * PublicationEntry
         * @description A decision or a comment.
         */
        PublicationEntry: {
            /** @description For `request` and `change-access`: the access that was chosen. */
            access: components["schemas"]["DatasetAccess"] | null;
            /** @description A `PublicationAction`; `edit-metadata` (a change of the metadata during the review, with its note as the comment); `published`, `delayed`, `reminded`, `embargo-ending`, `embargo-ended`, `mail-undelivered` (the mail server does not accept mail for an address) and `restored` (from the archive, by a rebuild) by the service; `added-to-collection` and `removed-from-collection` by curators; or `access_requested`, `access_granted`, `access_refused` and `access_revoked`. */
            action: string;
            /** @description Who acted; null for the service, and for people without an account. */
            actor: string | null;
            /** @description Number of the comment that this one answers, or that was resolved; null if none. */
            answers: number | null;
            /**
             * Format: date-time
             * @description Time of the entry.
             */
            at: string;
            /** @description Ids of collections: those for which the owner asked with `request`, or the one of `added-to-collection` and `removed-from-collection`. Otherwise empty. */
            collections: string[];
            /** @description Comment or reason; can be empty. */
            comment: string;
            /** @description For `assign`: the curator; null if the assignment was removed. */
            curator: string | null;
            /** @description First day on which the files are open, for an embargo. */
            embargoDate: string | null;
            /** @description Number of the entry. */
            id: number;
            /** @description For `mail-undelivered`: whose address it is; `reader` is a person who asked for access. */
            party: components["schemas"]["MailedParty"] | null;
            /** @description What the comment is about; null for the whole dataset. */
            place: components["schemas"]["Place"] | null;
            /** @description For a comment that answers no other one: whether it is resolved. For `resolve`: whether the comment `answers` was resolved (true) or reopened. Otherwise null. */
            resolved: boolean | null;
            /** @description Metadata revision at that time. */
            revision: number;
            state: components["schemas"]["PublicationState"];
        };
        /** PublicationEvent */
        PublicationEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["PublicationData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "registering" | "access_changed" | "publication_withdrawn";
        };
        /**
         * PublicationListEntry
         * @description A publication in a list.
         */
        PublicationListEntry: {
            access: components["schemas"]["DatasetAccess"];
            /** @description Requests for access to closed files that nobody has answered. */
            accessRequests: number;
            /** @description Curator who reviews the dataset. */
            assignee: string | null;
            /** @description Whether `assignee` is a curator or admin now. If not, the dataset is in the queue `new`. Null without a curator. */
            assigneeIsCurator: boolean | null;
            /** @description What the automatic checks found when they last ran: with the request, with the approval, or when the owner or a curator last viewed the publication. Null if they have not run, and after publication. */
            checks: components["schemas"]["FoundByChecks"] | null;
            comments: components["schemas"]["CommentCount"];
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            embargoDate: string | null;
            /** @description Identifier under which the version is published. */
            identifier: string | null;
            identifierType: components["schemas"]["IdentifierType"] | null;
            /** @description Whether people must know of the problem: somebody must act, or the service has tried again for 15 minutes. Until then, the registration is in progress. */
            isDelayed: boolean;
            /** @description Whether the owner or a curator must act, and has not for the time after which the service reminds them. */
            isOverdue: boolean;
            /** @description Time of the last comment. */
            lastCommentAt: string | null;
            /** @description Owner of the dataset. */
            owner: string;
            /** @description Why the last attempt of the registration, or of a later change at DataCite, failed. */
            problem: components["schemas"]["PublicationProblem"] | null;
            /**
             * Format: date-time
             * @description Since when it has this state.
             */
            since: string;
            state: components["schemas"]["PublicationState"];
            /** @description Title of the version. */
            title: string;
            /** @description Number of the version. */
            version: number;
            /** @description Who must act next. */
            waitingFor: ("owner" | "curator" | "service" | "operator") | null;
        };
        /**
         * PublicationMode
         * @description Whether the service publishes datasets: `off` (it only archives them), `review` (curators review them before publication) or `direct` (owners publish them without review).
         * @enum {unknown}
         */
        PublicationMode: "off" | "review" | "direct";
        /**
         * PublicationProblem
         * @description Why DataCite does not have the present state yet, and who can act.
         */
        PublicationProblem: {
            /** @description What the responsible party can do. */
            action: string;
            /**
             * Format: date-time
             * @description Time of the last attempt.
             */
            at: string;
            code: components["schemas"]["ProblemCode"];
            fault: components["schemas"]["Fault"];
            /** @description What happened. */
            message: string;
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last one that succeeded; missing if an earlier version stored the problem.
             */
            since?: string;
        };
        /**
         * PublicationRequest
         * @description A request for publication.
         */
        PublicationRequest: {
            access: components["schemas"]["DatasetAccess"];
            /** @description Acceptance of the deposit agreement: the SHA-256 of the accepted text, or `true` for the default text. */
            agreement: true | string;
            /** @description Ids of the collections to which the dataset should belong (`GET /collections`). They must accept its licence. The approval of a curator decides; the dataset belongs to them from its publication on. Services without review accept none: curators add the dataset afterwards. */
            collections?: string[];
            /** @description Comment for the other party. */
            comment?: string;
            /** @description First day on which the files are open (YYYY-MM-DD, UTC). Mandatory if and only if `access` is `embargoed`. */
            embargoDate?: string;
            notify?: components["schemas"]["Notify"];
            /** @description Whether approval starts publication (default); otherwise the owner chooses the moment. */
            publishOnApproval?: boolean;
            /** @description Reason for the access. Mandatory for an embargo, and for each change. */
            reason?: string;
            /** @description Whether the public sees where the data came from: endpoint, bucket and selection in `metadata/submission.json`, and the source manifest. Default: false. */
            showSource?: boolean;
        };
        /**
         * PublicationState
         * @description `private` (never requested, or taken back), `in_review`, `changes_requested`, `declined`, `approved` (the owner chooses the moment of publication), `registering` (the service registers the identifier), `published` or `withdrawn`.
         * @enum {unknown}
         */
        PublicationState: "private" | "in_review" | "changes_requested" | "declined" | "approved" | "registering" | "published" | "withdrawn";
        /**
         * PublicationStep
         * @description A decision with an optional comment.
         */
        PublicationStep: {
            /** @description Comment for the other party. */
            comment?: string;
        };
        /**
         * PublicationWithdrawal
         * @description A withdrawal of the publication of a version.
         */
        PublicationWithdrawal: {
            /** @description Public reason; the landing page states it. */
            reason: string;
        };
        /**
         * PublishedData
         * @description The publication of a version.
         */
        PublishedData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Identifier of the version: a DOI as URL, or a URN. */
            identifier: string;
            identifierType?: components["schemas"]["IdentifierType"];
            /** @description Number of the metadata revision. */
            revision: number;
            state: components["schemas"]["PublicationState"];
            /** @description Number of the version. */
            version: number;
        };
        /**
         * PublishedDataset
         * @description A published dataset in the catalogue.
         */
        PublishedDataset: {
            /**
             * @description Access to the files now.
             * @enum {unknown}
             */
            access: "open" | "embargoed" | "restricted";
            /** @description Size of the files in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description Last change of the public metadata.
             */
            changedAt: string;
            /** @description Number of all creators. */
            creatorCount: number;
            /** @description Names of the first ten creators. */
            creators: string[];
            /** @description The first 2,000 characters of the description. */
            description: string;
            /** @description Day on which the files become open (`YYYY-MM-DD`, UTC); null without an embargo in force. */
            embargoDate: string | null;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Persistent identifier of the version: a DOI as URL, or a URN. */
            identifier: string;
            identifierType: components["schemas"]["IdentifierType"];
            /** @description The first twenty keywords. */
            keywords: string[];
            /** @description Name of the licence. */
            licence: string | null;
            /** @description Where words of the search text were found: in the title, in names of people or keywords, in other metadata, or in names of open files. Empty without a search text. */
            matchedIn: ("title" | "names" | "metadata" | "files")[];
            /** @description Number of files. */
            objects: number;
            /**
             * Format: date-time
             * @description Time of publication.
             */
            publishedAt: string;
            /** @description General resource type of DataCite. */
            resourceType: string;
            /** @description Title. */
            title: string;
            /** @description Landing page. */
            url: string;
            /** @description Number of the newest published version. */
            version: number;
            /** @description The submitter’s name of the version, or its number. */
            versionLabel: string;
            /** @description Year of publication, as in citations. */
            year: string;
        };
        /** PublishedEvent */
        PublishedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["PublishedData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "published";
        };
        /**
         * QueueCounts
         * @description The number of publications in each part of the queue.
         */
        QueueCounts: {
            /** @description Published with closed files, and with requests for access that nobody has answered. */
            access: number;
            /** @description Approved, not published. */
            approved: number;
            /** @description Waiting for the owner’s changes. */
            author: number;
            /** @description Delayed at DataCite. */
            failing: number;
            /** @description Assigned to the caller. */
            mine: number;
            /** @description In review without a curator, or assigned to an account that is no longer a curator. */
            new: number;
            own: components["schemas"]["OwnQueueCounts"];
            /** @description Assigned to the caller, and in review. */
            reviewing: number;
        };
        /**
         * QuotaExceeded
         * @description The quota that the request exceeds.
         */
        QuotaExceeded: {
            /** @description Limit of the quota. */
            allowed: number;
            /**
             * @description Name of the quota.
             * @enum {unknown}
             */
            of: "submissions" | "objects" | "bytes";
            /** @description Amount already used. */
            used: number;
            /** @description Amount that this request adds. */
            wanted: number;
        };
        /**
         * ReadMetadataFile
         * @description The result of reading a metadata file.
         */
        ReadMetadataFile: {
            /** @description Size in bytes. */
            bytes: number;
            /** @description Key of the object, or name of the file. */
            key: string;
            kind: components["schemas"]["MetadataFileKind"];
            /** @description Why the file cannot be read; null if it was read. */
            problem: components["schemas"]["MetadataFileProblem"] | null;
            /** @description Values that are not used; at most 100. */
            remarks: components["schemas"]["ImportRemark"][];
        };
        /**
         * RelatedIdentifier
         * @description A related publication, dataset, program or other resource, with an identifier, a citation, or both.
         */
        RelatedIdentifier: {
            /**
             * @description The resource as it is cited.
             * @example Carberry J (2026): Roots of barley. Journal of Psychoceramics 5.
             */
            citation?: string;
            /**
             * @description Identifier of the resource, for example its DOI or web address.
             * @example 10.1234/abcd
             */
            relatedIdentifier?: string;
            /**
             * @description Type of the identifier; needed only if the service does not recognise it. One of `ARK`, `arXiv`, `bibcode`, `CSTR`, `DOI`, `EAN13`, `EISSN`, `Handle`, `IGSN`, `ISBN`, `ISSN`, `ISTC`, `LISSN`, `LSID`, `PMID`, `PURL`, `RAiD`, `RRID`, `SWHID`, `UPC`, `URL`, `URN`, `w3id`.
             * @example DOI
             */
            relatedIdentifierType?: string;
            /**
             * @description How the dataset relates to the resource. One of `IsDescribedBy`, `IsSupplementTo`, `IsCitedBy`, `IsDerivedFrom`, `References`, `IsDocumentedBy`, `IsPartOf`, `HasPart`, `IsSourceOf`, `Requires`, `Cites`, `IsSupplementedBy`, `IsContinuedBy`, `Continues`, `IsNewVersionOf`, `IsPreviousVersionOf`, `IsPublishedIn`, `IsReferencedBy`, `Documents`, `IsCompiledBy`, `Compiles`, `IsVariantFormOf`, `IsOriginalFormOf`, `IsIdenticalTo`, `HasMetadata`, `IsMetadataFor`, `Reviews`, `IsReviewedBy`, `Describes`, `HasVersion`, `IsVersionOf`, `IsRequiredBy`, `Obsoletes`, `IsObsoletedBy`, `Collects`, `IsCollectedBy`, `HasTranslation`, `IsTranslationOf`, `Other`.
             * @example IsDescribedBy
             */
            relationType: string;
            /**
             * @description Kind of resource. One of `Audiovisual`, `Award`, `Book`, `BookChapter`, `Collection`, `ComputationalNotebook`, `ConferencePaper`, `ConferenceProceeding`, `DataPaper`, `Dataset`, `Dissertation`, `Event`, `Image`, `Instrument`, `InteractiveResource`, `Journal`, `JournalArticle`, `Model`, `OutputManagementPlan`, `PeerReview`, `PhysicalObject`, `Poster`, `Preprint`, `Presentation`, `Project`, `Report`, `Service`, `Software`, `Sound`, `Standard`, `StudyRegistration`, `Text`, `Workflow`, `Other`.
             * @example JournalArticle
             */
            resourceTypeGeneral?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Remark
         * @description An error or a warning about one member of a request.
         */
        Remark: {
            code: components["schemas"]["ProblemCode"];
            /** @description Human-readable explanation. */
            detail: string;
            /** @description JSON Pointer (RFC 6901) to the member of the request. */
            pointer: string;
        };
        /**
         * ReminderData
         * @description A reminder to the party that must act.
         */
        ReminderData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /**
             * Format: date-time
             * @description Since when the publication waits.
             */
            since: string;
            state: components["schemas"]["PublicationState"];
            /** @description Number of the version. */
            version: number;
            /**
             * @description Who was reminded.
             * @enum {unknown}
             */
            waitingFor: "owner" | "curator";
        };
        /** ReminderEvent */
        ReminderEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["ReminderData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "publication_reminder";
        };
        /**
         * RenamedKey
         * @description A key that cannot be a file path and is escaped.
         */
        RenamedKey: {
            /**
             * @description Stable code of the reason. Later versions can add codes.
             * @enum {unknown}
             */
            code: "empty_segment" | "dot_segment" | "null_character" | "folder";
            /** @description Key of the object in the bucket. */
            key: string;
            /** @description Logical path in the dataset. */
            path: string;
            /** @description Human-readable reason. */
            reason: string;
        };
        /**
         * ReplyTemplate
         * @description A prepared text for the comment of a curator.
         */
        ReplyTemplate: {
            /** @description Language of the text (BCP 47). */
            language: string;
            /** @description The text as Markdown. */
            text: string;
            /** @description Title, unique in its language. */
            title: string;
        };
        /**
         * Report
         * @description The result of a bucket check.
         */
        Report: {
            /** @description `Connection successful`, or the cause of the failure and how to fix it. */
            message: string;
            /** @description Whether the service can read the bucket. */
            ok: boolean;
            /** @description Bucket policy with the minimum permissions, ready to paste; empty if members of the request are invalid. */
            policy: unknown;
            /** @description Steps of the check, in order. */
            steps: components["schemas"]["ReportStep"][];
        };
        /**
         * ReportStep
         * @description A step of a bucket check.
         */
        ReportStep: {
            /** @description Problem code; null if the step found no problem. */
            code: components["schemas"]["ProblemCode"] | null;
            /** @description Human-readable result. */
            detail: string;
            /** @description How to fix the problem; empty if no action is required. */
            hint: string;
            /** @description Duration of the step in milliseconds. */
            milliseconds: number;
            /**
             * @description Name of the step. Steps run in this order.
             * @enum {unknown}
             */
            name: "address" | "connect" | "tls" | "clock" | "signature" | "bucket" | "list" | "read";
            /** @description Code of `detail`, for translation; null if the step failed. */
            note: components["schemas"]["StepNote"] | null;
            /**
             * @description Result of the step.
             * @enum {unknown}
             */
            status: "passed" | "failed" | "skipped" | "warning";
            values: components["schemas"]["StepValues"];
        };
        /**
         * ReservationDelayData
         * @description The problem that delays the reservation of a DOI.
         */
        ReservationDelayData: {
            /** @description What the responsible party can do. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description The DOI that was chosen. */
            doi: string;
            fault: components["schemas"]["Fault"];
            /**
             * Format: date-time
             * @description Since when the reservation fails.
             */
            since: string;
            /** @description Number of the version. */
            version: number;
        };
        /** ReservationDelayedEvent */
        ReservationDelayedEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["ReservationDelayData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "reservation_delayed";
        };
        /**
         * ReservedDoiData
         * @description A DOI that was reserved for a version.
         */
        ReservedDoiData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /**
             * @description The DOI. It resolves after publication.
             * @example 10.5072/k7m2p9xq
             */
            doi: string;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * Review
         * @description A version of a dataset, as reviewers see it.
         */
        Review: {
            /** @description Whether the view excludes people and institutions. */
            anonymous: boolean;
            commitment: components["schemas"]["DigestCommitment"];
            /** @description Digests before the metadata were changed, newest first. The files are the same. */
            earlierCommitments: components["schemas"]["DigestCommitment"][];
            /**
             * Format: date-time
             * @description Time until which the link can be used.
             */
            expiresAt: string;
            files: components["schemas"]["ReviewTotals"];
            metadata: components["schemas"]["ReviewMetadata"];
            /** @description Null in an anonymous view. */
            named: components["schemas"]["ReviewNames"] | null;
            page: components["schemas"]["PageParts"];
            state: components["schemas"]["PublicationState"];
            /** @description Number of the version. */
            version: number;
        };
        /**
         * ReviewDate
         * @description A date of the dataset.
         */
        ReviewDate: {
            /** @description Date or period. */
            date: string;
            /**
             * @description Type of the date.
             * @enum {unknown}
             */
            dateType: "Collected" | "Created" | "Valid" | "Coverage" | "Copyrighted" | "Accepted" | "Other";
        };
        /**
         * ReviewDescription
         * @description A further description.
         */
        ReviewDescription: {
            /** @description Text. */
            description: string;
            /**
             * @description Type of the description.
             * @enum {unknown}
             */
            descriptionType: "Abstract" | "Methods" | "TechnicalInfo" | "TableOfContents" | "SeriesInformation" | "Other";
            /** @description Language of the text (BCP 47), if it is stated. */
            language?: string;
        };
        /**
         * ReviewDownloadRequest
         * @description The content of the download.
         */
        ReviewDownloadRequest: {
            /** @description Path of a file, not encoded. */
            path?: string;
        };
        /**
         * ReviewerLink
         * @description A link with which people without an account read a version of a dataset.
         */
        ReviewerLink: {
            /** @description Whether the view excludes people and institutions. */
            anonymous: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /** @description Who created the link. */
            createdBy: string;
            /**
             * Format: date-time
             * @description Time until which the link can be used.
             */
            expiresAt: string;
            /** @description Number of files that describe the dataset and are excluded from an anonymous view. */
            filesLeftOut: number;
            /**
             * Format: uuid
             * @description Id of the link, not its secret.
             */
            id: string;
            /** @description Label for the owner and curators; can be empty. Reviewers do not see it. */
            label: string;
            /** @description Time of the last visit; null before the first. */
            lastVisitAt: string | null;
            /** @description Time of revocation; null if it was not revoked. */
            revokedAt: string | null;
            /** @description Who revoked the link; null if it was not revoked. */
            revokedBy: string | null;
            /**
             * @description Whether the link can be used.
             * @enum {unknown}
             */
            state: "usable" | "expired" | "revoked";
            /** @description Version that the link opens. */
            version: number;
            /** @description How often the view was opened. Nothing about visitors is stored. */
            visits: number;
        };
        /**
         * ReviewerLinkData
         * @description A reviewer link that was created or revoked.
         */
        ReviewerLinkData: {
            /** @description Whether its view is anonymous. */
            anonymous: boolean;
            /** @description Who created or revoked it. */
            by: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Label of the link; can be empty. */
            label: string;
            /**
             * Format: uuid
             * @description Id of the reviewer link.
             */
            link: string;
            /** @description Number of the version. */
            version: number;
        };
        /** ReviewerLinkEvent */
        ReviewerLinkEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["ReviewerLinkData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "reviewer_link_created" | "reviewer_link_revoked";
        };
        /**
         * ReviewFile
         * @description A file of the dataset.
         */
        ReviewFile: {
            /** @description Size in bytes. */
            bytes: number;
            /** @description Path of the file. */
            path: string;
            /** @description SHA-512 in lower-case hex. */
            sha512: string;
        };
        /**
         * ReviewLicence
         * @description The licence, if it is an SPDX licence.
         */
        ReviewLicence: {
            /** @description Name of the licence. */
            name: string;
            /** @description SPDX id or expression. */
            spdx?: string;
            /** @description Address of the licence. */
            url?: string;
        };
        /**
         * ReviewMetadata
         * @description Metadata that describe the data, without people and institutions.
         */
        ReviewMetadata: {
            /** @description Dates of the dataset. */
            dates?: components["schemas"]["ReviewDate"][];
            /** @description Description of the dataset. */
            description?: string;
            /** @description Further descriptions. */
            descriptions?: components["schemas"]["ReviewDescription"][];
            /** @description End of the embargo (YYYY-MM-DD). */
            embargoDate?: string;
            /** @description Language of the text (BCP 47), if it is stated. */
            language?: string;
            license?: components["schemas"]["ReviewLicence"];
            /**
             * @description Type of the resource.
             * @enum {unknown}
             */
            resourceTypeGeneral?: "Audiovisual" | "Award" | "Book" | "BookChapter" | "Collection" | "ComputationalNotebook" | "ConferencePaper" | "ConferenceProceeding" | "DataPaper" | "Dataset" | "Dissertation" | "Event" | "Image" | "Instrument" | "InteractiveResource" | "Journal" | "JournalArticle" | "Model" | "OutputManagementPlan" | "PeerReview" | "PhysicalObject" | "Poster" | "Preprint" | "Presentation" | "Project" | "Report" | "Service" | "Software" | "Sound" | "Standard" | "StudyRegistration" | "Text" | "Workflow" | "Other";
            /** @description Keywords. */
            subjects: string[];
            /** @description Terms from vocabularies. */
            subjectTerms?: components["schemas"]["ReviewSubjectTerm"][];
            /** @description Title of the dataset. */
            title: string;
            /** @description Further titles. */
            titles?: components["schemas"]["ReviewTitle"][];
        };
        /**
         * ReviewNames
         * @description Metadata that name people and institutions.
         */
        ReviewNames: {
            /** @description All other metadata, as they will be published. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Creators and contributors. */
            people: components["schemas"]["ReviewPerson"][];
            /** @description The repository. */
            publisher: string;
        };
        /**
         * ReviewPerson
         * @description A creator or contributor.
         */
        ReviewPerson: {
            /** @description Names of the institutions. */
            affiliations: string[];
            /** @description Name of the person or organisation. */
            name: string;
            /** @description ORCID iD as a URL. */
            orcid: string | null;
            /** @description Role, such as `Creator`. */
            role: string;
        };
        /**
         * ReviewSubjectTerm
         * @description A term from a vocabulary.
         */
        ReviewSubjectTerm: {
            /** @description Language of the text (BCP 47), if it is stated. */
            language?: string;
            /** @description Name of the term. */
            subject: string;
        };
        /**
         * ReviewTitle
         * @description A further title.
         */
        ReviewTitle: {
            /** @description Language of the text (BCP 47), if it is stated. */
            language?: string;
            /** @description Title. */
            title: string;
            /**
             * @description Type of the title.
             * @enum {unknown}
             */
            titleType: "AlternativeTitle" | "Subtitle" | "TranslatedTitle" | "Other";
        };
        /**
         * ReviewTotals
         * @description Number and size of the files.
         */
        ReviewTotals: {
            /** @description Their total size in bytes. */
            bytes: number;
            /** @description Number of files that describe the dataset and are excluded from an anonymous view. */
            leftOut: number;
            /** @description Number of files of the dataset that the view contains. */
            number: number;
        };
        /**
         * Role
         * @description Role of a caller. docs/access.md lists the permissions of each role.
         * @enum {unknown}
         */
        Role: "submitter" | "curator" | "admin";
        /**
         * RoleAccess
         * @description What the trust policy of a role must contain so that the service can read your bucket with it.
         */
        RoleAccess: {
            /** @description External id (`sts:ExternalId`) that the service always sends for you. No other user has the same. */
            externalId: string;
            /** @description ARN of the user or role that the service has. */
            principal: string;
        };
        /**
         * S3Access
         * @description The location of the bucket and the credentials to read it.
         */
        S3Access: {
            /**
             * @description Access key id. Required unless `anonymous` is true or `roleArn` is given.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            accessKey?: string;
            /** @description Whether the bucket is public and is read without credentials. */
            anonymous?: boolean;
            /**
             * @description Name of the bucket, without address or path. On servers with tenants, it can be `tenant:bucket`, as the server expects it.
             * @example barley-roots
             */
            bucket: string;
            /**
             * @description Address of the S3 server. Without a scheme, `https` is used.
             * @example https://s3.example.org
             */
            endpoint: string;
            /** @description Whether requests use path-style addresses (`host/bucket`) instead of virtual-hosted ones (`bucket.host`). Default: detected from the endpoint. */
            pathStyle?: boolean;
            /**
             * @description Region of the bucket. Default: detected automatically.
             * @example eu-central-1
             */
            region?: string;
            /** @description Whether the owner of the access key pays for requests and downloads, which requester-pays buckets require. Requests then have the header `x-amz-request-payer`. */
            requesterPays?: boolean;
            /**
             * @description ARN of a role with which the service reads the bucket, instead of keys. Its trust policy must require your external id (`GET /caller`).
             * @example arn:aws:iam::123456789012:role/barley-roots-reader
             */
            roleArn?: string;
            /** @description Secret access key. It is stored encrypted and erased when it is no longer needed. */
            secretKey?: string;
            /** @description Session token of temporary credentials. */
            sessionToken?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Selection
         * @description The objects of the bucket to archive. Default: all objects.
         */
        Selection: {
            /**
             * @description Patterns of keys to exclude, even if `include` matches them. Each pattern is compared with the whole key. `*` and `?` do not match `/`, `**` does (docs/package-format.md#selections).
             * @example [
             *       "**\/.*"
             *     ]
             */
            exclude?: string[];
            /**
             * @description Patterns of keys to include. Without patterns, all keys are included. Each pattern is compared with the whole key. `*` and `?` do not match `/`, `**` does (docs/package-format.md#selections).
             * @example [
             *       "**.csv"
             *     ]
             */
            include?: string[];
            /**
             * @description Selects only keys that start with this text, at most 1,024 bytes. Paths in the dataset keep it.
             * @example experiment-7/
             */
            prefix?: string;
            /** @description Whether to read all objects again, even unchanged objects of an earlier version. */
            refetch?: boolean;
        };
        /**
         * SentAffiliation
         * @description An institution to which an author belongs.
         */
        SentAffiliation: {
            name?: string | null;
            rorid?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentAlternateIdentifier
         * @description An identifier of the same dataset elsewhere.
         */
        SentAlternateIdentifier: {
            alternateIdentifier?: string | null;
            alternateIdentifierType?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentAuthor
         * @description A person or organisation that created the dataset or contributed to it.
         */
        SentAuthor: {
            address?: string | null;
            affiliation?: string | null;
            affiliations?: components["schemas"]["SentAffiliation"][] | "" | null;
            city?: string | null;
            country?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            name?: string | null;
            nameType?: string | null;
            orcid?: string | null;
            role?: string | null;
            rorid?: string | null;
            zipCode?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentContact
         * @description Whom to ask about the dataset.
         */
        SentContact: {
            email?: string | null;
            name?: string | null;
            public?: boolean | "" | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentDescription
         * @description A further description of the dataset.
         */
        SentDescription: {
            description?: string | null;
            descriptionType?: string | null;
            language?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentFields
         * @description Values of fields that the operator has defined, by the name of their group. `GET /field-groups` lists the groups.
         */
        SentFields: {
            [key: string]: unknown;
        };
        /**
         * SentFundingReference
         * @description Funding of the work from which the dataset results.
         */
        SentFundingReference: {
            awardNumber?: string | null;
            awardTitle?: string | null;
            awardUri?: string | null;
            funderIdentifier?: string | null;
            funderIdentifierType?: string | null;
            funderName?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentGeoLocation
         * @description A place that the data are about: a name, a point, an area, or several.
         */
        SentGeoLocation: {
            geoLocationBox?: components["schemas"]["SentGeoLocationBox"] | "" | null;
            geoLocationPlace?: string | null;
            geoLocationPoint?: components["schemas"]["SentGeoLocationPoint"] | "" | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentGeoLocationBox
         * @description An area between two meridians and two parallels.
         */
        SentGeoLocationBox: {
            eastBoundLongitude?: (number | string) | "" | null;
            northBoundLatitude?: (number | string) | "" | null;
            southBoundLatitude?: (number | string) | "" | null;
            westBoundLongitude?: (number | string) | "" | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentGeoLocationPoint
         * @description A point, in degrees of WGS 84.
         */
        SentGeoLocationPoint: {
            pointLatitude?: (number | string) | "" | null;
            pointLongitude?: (number | string) | "" | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentMetadata
         * @description Metadata as submitted. Null and empty texts count as not given.
         */
        SentMetadata: {
            acknowledgements?: string | null;
            alternateIdentifiers?: components["schemas"]["SentAlternateIdentifier"][] | "" | null;
            authors?: components["schemas"]["SentAuthor"][] | "" | null;
            contact?: components["schemas"]["SentContact"] | "" | null;
            dates?: components["schemas"]["SentMetadataDate"][] | "" | null;
            description?: string | null;
            descriptions?: components["schemas"]["SentDescription"][] | "" | null;
            embargoDate?: string | null;
            fields?: components["schemas"]["SentFields"] | "" | null;
            fundingReferences?: components["schemas"]["SentFundingReference"][] | "" | null;
            geoLocations?: components["schemas"]["SentGeoLocation"][] | "" | null;
            language?: string | null;
            license?: string | null;
            licenses?: components["schemas"]["SentPartLicense"][] | "" | null;
            relatedIdentifiers?: components["schemas"]["SentRelatedIdentifier"][] | "" | null;
            resourceType?: string | null;
            resourceTypeGeneral?: string | null;
            subjects?: string[] | "" | null;
            subjectTerms?: components["schemas"]["SentSubjectTerm"][] | "" | null;
            /**
             * @description Title of the dataset.
             * @example Barley root images, field season 2026
             */
            title: string;
            titles?: components["schemas"]["SentTitle"][] | "" | null;
            versionLabel?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentMetadataDate
         * @description A date or period of the data.
         */
        SentMetadataDate: {
            date?: string | null;
            dateInformation?: string | null;
            dateType?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentPartLicense
         * @description A licence that applies to a part of the dataset.
         */
        SentPartLicense: {
            appliesTo?: string | null;
            license?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentRelatedIdentifier
         * @description A related publication, dataset, program or other resource, with an identifier, a citation, or both.
         */
        SentRelatedIdentifier: {
            citation?: string | null;
            relatedIdentifier?: string | null;
            relatedIdentifierType?: string | null;
            relationType?: string | null;
            resourceTypeGeneral?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentSubjectTerm
         * @description A subject from a controlled vocabulary.
         */
        SentSubjectTerm: {
            classificationCode?: string | null;
            language?: string | null;
            schemeUri?: string | null;
            subject?: string | null;
            subjectScheme?: string | null;
            valueUri?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * SentTitle
         * @description A further title of the dataset.
         */
        SentTitle: {
            language?: string | null;
            title?: string | null;
            titleType?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * Service
         * @description Information about the service that clients need before sign-in.
         */
        Service: {
            /** @description Whether files can be sent to the service (`POST /uploads`) instead of being read from a bucket. */
            acceptsUploads: boolean;
            /** @description Commit from which the software was built; null if it is not known. */
            commit: string | null;
            /** @description Names of the groups of additional metadata fields; see `GET /field-groups`. */
            fieldGroups: string[];
            links: components["schemas"]["ServiceLinks"];
            /** @description Number of seconds that the service waits for the first page of a bucket’s listing. Requests that check a bucket can take half a minute longer. */
            listingTimeout: number;
            publication: components["schemas"]["PublicationMode"];
            /** @description Publisher in packages and exports. */
            publisher: string;
            /** @description Whether published datasets get DOIs, and DOIs can be reserved. */
            registersDois: boolean;
            /** @description Whether the service can notify submitters by e-mail (`notify`). */
            sendsMail: boolean;
            signIn: components["schemas"]["SignIn"];
            /** @description Version of the software. */
            version: string;
            /** @description Kinds of vocabularies that can be searched. Empty if the operator has imported none. */
            vocabularies: components["schemas"]["VocabularyKind"][];
        };
        /**
         * ServiceLink
         * @description A link of the operator.
         */
        ServiceLink: {
            /** @description Text of the link. */
            text: string;
            /** @description The address of a web page, or `mailto:` with a mail address. */
            url: string;
        };
        /**
         * ServiceLinks
         * @description Links to imprint, privacy notice and contact, by the language of the page that shows them. Empty lists if the operator has configured none.
         */
        ServiceLinks: {
            /** @description With German texts. */
            de: components["schemas"]["ServiceLink"][];
            /** @description With English texts. */
            en: components["schemas"]["ServiceLink"][];
        };
        /**
         * SignIn
         * @description The sign-in method of the service.
         */
        SignIn: {
            /**
             * @description How callers authenticate: `none` (no sign-in), `tokens` (a token of this service) or `oidc` (a token of its OpenID provider).
             * @enum {unknown}
             */
            method: "none" | "tokens" | "oidc";
            /** @description OpenID provider; set if `method` is `oidc`. */
            provider: components["schemas"]["IdentityProvider"] | null;
        };
        /**
         * Source
         * @description The bucket or upload that the submission reads, without credentials.
         */
        Source: {
            /** @description Name of the bucket; id of the upload. */
            bucket: string;
            /** @description Address of the S3 server; `upload` for an upload to this service. */
            endpoint: string;
            /** @description Region of the bucket; null if unknown. */
            region: string | null;
            selection: components["schemas"]["Selection"];
        };
        /**
         * Stalled
         * @description An interruption of the transfer by the source.
         */
        Stalled: {
            /**
             * Format: date-time
             * @description Time at which the source last sent data.
             */
            since: string;
            /**
             * Format: date-time
             * @description Latest time at which the service stops reading and the submission waits for the source.
             */
            until: string;
        };
        /**
         * Standstill
         * @description The problem because of which a submission waits or failed.
         */
        Standstill: {
            /** @description How to fix the problem. */
            action: string;
            code: components["schemas"]["ProblemCode"];
            fault: components["schemas"]["Fault"];
            /** @description Human-readable explanation. */
            message: string;
            /** @description Whether a later attempt can succeed without any change. */
            retryable: boolean;
            /**
             * Format: date-time
             * @description Time since which the submission waits, or at which it failed.
             */
            since: string;
            /** @description Time at which the waiting submission fails; null if it does not. */
            until: string | null;
        };
        /**
         * StandstillData
         * @description The problem because of which a submission waits or failed.
         */
        StandstillData: {
            code: components["schemas"]["ProblemCode"];
            fault: components["schemas"]["Fault"];
        };
        /** StandstillEvent */
        StandstillEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["StandstillData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "waiting" | "failed";
        };
        /**
         * Status
         * @description Status of a submission. `completed` and `cancelled` are final. A `failed` submission can be retried.
         * @enum {unknown}
         */
        Status: "accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "failed" | "cancelled";
        /**
         * StepNote
         * @description Stable code of what a step found. Later versions can add codes.
         * @enum {unknown}
         */
        StepNote: "address_resolved" | "connection_accepted" | "certificate_trusted" | "unencrypted" | "clocks_agree" | "clocks_differ" | "clock_unknown" | "time_accepted" | "keys_accepted" | "anonymous" | "bucket_found" | "bucket_empty" | "prefix_unmatched" | "objects_listed" | "objects_listed_partly" | "listing_slow" | "no_object" | "names_unproven" | "times_invalid" | "object_readable" | "request_parts_refused" | "not_reached";
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
            /** @description Time that the service waits for an answer. */
            limitSeconds?: number;
            /** @description Difference between the clocks. */
            minutes?: number;
            /** @description Number of objects on the first page of the listing. */
            objects?: number;
            /** @description Headers and parameters that the server refuses. */
            parts?: string;
            /** @description The prefix of the request. */
            prefix?: string;
            /** @description Region of the bucket according to the server. */
            region?: string;
            /** @description Error code of the server, such as `AccessDenied`. */
            s3Code?: string;
            /** @description Time that the server has not answered. */
            seconds?: number;
        };
        /**
         * SubjectTerm
         * @description A subject from a controlled vocabulary.
         */
        SubjectTerm: {
            /**
             * @description Code of the term in the vocabulary.
             * @example c_823
             */
            classificationCode?: string;
            /**
             * @description Language of the text, in the same forms as `language` of the dataset.
             * @example de
             */
            language?: string;
            /**
             * @description Web address of the vocabulary.
             * @example https://aims.fao.org/aos/agrovoc
             */
            schemeUri?: string;
            /**
             * @description The term.
             * @example barley
             */
            subject: string;
            /**
             * @description Name of the vocabulary.
             * @example AGROVOC
             */
            subjectScheme?: string;
            /**
             * @description Web address of the term.
             * @example http://aims.fao.org/aos/agrovoc/c_823
             */
            valueUri?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * Submission
         * @description A request to archive a bucket or an upload, and its processing.
         */
        Submission: {
            /** @description Number of the attempt. Retrying a failed submission increases it. */
            attempt: number;
            /**
             * Format: date-time
             * @description Time at which the submission was accepted.
             */
            createdAt: string;
            /** @description Version of a dataset that the submission created; null until it is completed. */
            dataset: components["schemas"]["DatasetVersion"] | null;
            /** @description Lists of checksums that were computed where the data were produced. Null without lists. */
            digests: components["schemas"]["SubmissionDigests"] | null;
            /** @description Changes in the source after it was read. */
            drift: components["schemas"]["Drift"][];
            /** @description Problem because of which the submission failed; null unless it failed. */
            failure: components["schemas"]["Standstill"] | null;
            /** @description Time at which the submission was completed, failed or was cancelled; null until then. */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            id: string;
            /** @description Persistent identifier of the archived version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. Null before archiving. */
            identifier: string | null;
            identifierType: components["schemas"]["IdentifierType"] | null;
            /** @description Paths of related resources: `self`, `files`, `events`; once completed, also `receipt` and `dataset`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["SentMetadata"];
            /** @description Owner of the submission. */
            owner: string;
            progress: components["schemas"]["Progress"];
            /** @description DOI that is reserved for the version. It resolves after publication. Null if none was requested, or DataCite has not confirmed it yet. */
            reservedDoi: string | null;
            source: components["schemas"]["Source"];
            /** @description Whether the source can be deleted, as in the receipt; `no` if the dataset was withdrawn; null until the submission is completed. */
            sourceMayBeDeleted: ("yes" | "no") | null;
            /** @description Explanation of `sourceMayBeDeleted`, with its scope; null until the submission is completed. */
            statement: string | null;
            status: components["schemas"]["Status"];
            /** @description Version of a dataset that the submission creates; null for submissions of early releases. */
            target: components["schemas"]["DatasetVersion"] | null;
            /** @description Title from the metadata, without leading and trailing spaces. */
            title: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
            /** @description Problem that must be fixed before the submission continues; null unless it waits. */
            waiting: components["schemas"]["Standstill"] | null;
            /** @description Warnings about the request. */
            warnings: components["schemas"]["Remark"][];
            /** @description Set if the dataset was withdrawn. Its content is deleted, and the source must not be deleted. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * SubmissionDigests
         * @description The digest lists of a submission, and what they show.
         */
        SubmissionDigests: {
            /** @description Comparison with the listing; null until the listing is complete. */
            comparison: components["schemas"]["DigestComparison"] | null;
            /** @description Number of files whose content differs from a checksum of the lists, also of those that were excluded. */
            differing: number;
            /** @description The lists. Those in the source are added when they have been read. */
            lists: components["schemas"]["UsedDigestList"][];
        };
        /**
         * SubmissionEntry
         * @description A submission in a list. Its size is limited: `metadata` is a subset, and long texts and lists are shortened. `GET /submission/{id}` returns the complete submission.
         */
        SubmissionEntry: {
            /** @description Number of the attempt. Retrying a failed submission increases it. */
            attempt: number;
            /**
             * Format: date-time
             * @description Time at which the submission was accepted.
             */
            createdAt: string;
            /** @description Version of a dataset that the submission created; null until it is completed. */
            dataset: components["schemas"]["DatasetVersion"] | null;
            /** @description Changes in the source after it was read. */
            drift: components["schemas"]["Drift"][];
            /** @description Number of objects that changed in the source. `drift` lists the first 3. */
            driftTotal: number;
            /** @description Problem because of which the submission failed; null unless it failed. */
            failure: components["schemas"]["Standstill"] | null;
            /** @description Time at which the submission was completed, failed or was cancelled; null until then. */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the submission.
             */
            id: string;
            /** @description Paths of related resources: `self`, `files`, `events`; once completed, also `receipt` and `dataset`. */
            links: {
                [key: string]: string;
            };
            metadata: components["schemas"]["MetadataSummary"];
            /** @description Owner of the submission. */
            owner: string;
            progress: components["schemas"]["Progress"];
            /** @description Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis. */
            shortened: boolean;
            source: components["schemas"]["Source"];
            /** @description Whether the source can be deleted, as in the receipt; `no` if the dataset was withdrawn; null until the submission is completed. */
            sourceMayBeDeleted: ("yes" | "no") | null;
            /** @description Explanation of `sourceMayBeDeleted`, with its scope; null until the submission is completed. */
            statement: string | null;
            status: components["schemas"]["Status"];
            /** @description Version of a dataset that the submission creates; null for submissions of early releases. */
            target: components["schemas"]["DatasetVersion"] | null;
            /** @description Title from the metadata, without leading and trailing spaces. */
            title: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
            /** @description Problem that must be fixed before the submission continues; null unless it waits. */
            waiting: components["schemas"]["Standstill"] | null;
            /** @description Warnings about the request. */
            warnings: components["schemas"]["Remark"][];
            /** @description Number of warnings. `warnings` lists the first 3. */
            warningsTotal: number;
            /** @description Set if the dataset was withdrawn. Its content is deleted, and the source must not be deleted. */
            withdrawn: components["schemas"]["Withdrawal"] | null;
        };
        /**
         * SuggestedMetadata
         * @description Values for fields of the metadata. Each of them is valid; together they can be incomplete.
         */
        SuggestedMetadata: {
            /**
             * @description Whom you thank.
             * @example We thank the gardeners of the institute.
             */
            acknowledgements?: string;
            /** @description Identifiers of the same dataset elsewhere. */
            alternateIdentifiers?: components["schemas"]["AlternateIdentifier"][];
            /** @description Authors and contributors. Creators are cited in this order. */
            authors?: components["schemas"]["Author"][];
            contact?: components["schemas"]["Contact"];
            /** @description When the data were collected or created, or are valid. */
            dates?: components["schemas"]["MetadataDate"][];
            /**
             * @description Description of the data: content, method and purpose. 50 to 5,000 characters are recommended for search engines.
             * @example Photographs of barley roots taken weekly from May to July 2026 in the greenhouses of the institute
             */
            description?: string;
            /** @description Further descriptions: methods, technical information, translations. */
            descriptions?: components["schemas"]["Description"][];
            /**
             * @description Date as `YYYY-MM-DD` on which an embargo of the files ends. A request for publication proposes it.
             * @example 2027-06-30
             */
            embargoDate?: string;
            fields?: components["schemas"]["Fields"];
            /** @description Funders and grants. */
            fundingReferences?: components["schemas"]["FundingReference"][];
            /** @description Places that the data are about. */
            geoLocations?: components["schemas"]["GeoLocation"][];
            /**
             * @description Language of the data as BCP 47 tag, ISO 639 code or English name.
             * @example en
             */
            language?: string;
            /**
             * @description Licence as SPDX id or expression, web address, or common name such as `CC BY 4.0`.
             * @example CC-BY-4.0
             */
            license?: string;
            /** @description Licences of parts of the dataset, if they differ from `license`. */
            licenses?: components["schemas"]["PartLicense"][];
            /** @description Related publications, datasets and programs. */
            relatedIdentifiers?: components["schemas"]["RelatedIdentifier"][];
            /**
             * @description More exact kind, in your own words.
             * @example Root images
             */
            resourceType?: string;
            /**
             * @description Kind of dataset. The default is `Dataset`. One of `Audiovisual`, `Award`, `Book`, `BookChapter`, `Collection`, `ComputationalNotebook`, `ConferencePaper`, `ConferenceProceeding`, `DataPaper`, `Dataset`, `Dissertation`, `Event`, `Image`, `Instrument`, `InteractiveResource`, `Journal`, `JournalArticle`, `Model`, `OutputManagementPlan`, `PeerReview`, `PhysicalObject`, `Poster`, `Preprint`, `Presentation`, `Project`, `Report`, `Service`, `Software`, `Sound`, `Standard`, `StudyRegistration`, `Text`, `Workflow`, `Other`.
             * @example Image
             */
            resourceTypeGeneral?: string;
            /**
             * @description Keywords.
             * @example [
             *       "barley",
             *       "phenotyping"
             *     ]
             */
            subjects?: string[];
            /** @description Subjects from controlled vocabularies. */
            subjectTerms?: components["schemas"]["SubjectTerm"][];
            /**
             * @description Title of the dataset.
             * @example Barley root images, field season 2026
             */
            title?: string;
            /** @description Subtitle, translated and alternative titles. */
            titles?: components["schemas"]["Title"][];
            /**
             * @description Your own name of this version. Without it, the version is its number.
             * @example 2026.1
             */
            versionLabel?: string;
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
             * @description Address of this service.
             */
            source: string;
            /**
             * @description Version of the CloudEvents specification.
             * @constant
             */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            subject: string;
            /**
             * Format: date-time
             * @description Time at which the test was requested.
             */
            time: string;
            /**
             * @description Type of a test delivery.
             * @constant
             */
            type: "webhook.test";
        };
        /**
         * TestData
         * @description The webhook that is tested.
         */
        TestData: {
            links: components["schemas"]["TestLinks"];
            /** @description Human-readable description. */
            message: string;
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            webhook: string;
        };
        /**
         * TestLinks
         * @description Addresses of related resources.
         */
        TestLinks: {
            /**
             * Format: uri
             * @description Address of the webhook.
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
             * @description Time at which the test was requested.
             */
            timestamp: string;
            /**
             * @description Type of a test delivery.
             * @constant
             */
            type: "webhook.test";
        };
        /**
         * Title
         * @description A further title of the dataset.
         */
        Title: {
            /**
             * @description Language of the text, in the same forms as `language` of the dataset.
             * @example de
             */
            language?: string;
            /**
             * @description The title.
             * @example Gerstenwurzelbilder 2026
             */
            title: string;
            /**
             * @description Kind of title. The default is `AlternativeTitle`. One of `AlternativeTitle`, `Subtitle`, `TranslatedTitle`, `Other`.
             * @example TranslatedTitle
             */
            titleType?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * TitledFile
         * @description A file that is complete and durable.
         */
        TitledFile: {
            /** @description Size of the file, in bytes. */
            bytes: number;
            /** @description Path of the file, which becomes its key. */
            path: string;
            /** @description SHA-512 of the bytes that have arrived, in hex. */
            sha512: string;
            /**
             * Format: uuid
             * @description Id of the upload that has the file.
             */
            upload: string;
        };
        /**
         * TitledFileForm
         * @description A file with the metadata of its dataset. The parts may have any order.
         */
        TitledFileForm: {
            /**
             * Format: binary
             * @description The file, with its name.
             */
            file: string;
            /** @description Metadata of the dataset as JSON. Files with the same `title` belong to the same dataset. */
            metaData: string;
            /** @description The title, a slash and the folder of the file in the dataset; only the title, or empty, for no folder. */
            path: string;
        };
        /**
         * TitleToPublish
         * @description The dataset whose files were sent.
         */
        TitleToPublish: {
            /** @description Title of the dataset, as in `metaData`. */
            title: string;
        };
        /**
         * Token
         * @description A token without its secret text.
         */
        Token: {
            /**
             * Format: date-time
             * @description Time at which the token was created.
             */
            createdAt: string;
            /** @description Time at which the token expires; null if it does not. */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description Id of the token, not the token itself.
             */
            id: string;
            /** @description Time of the last use, accurate to the hour; null if unused. */
            lastUsedAt: string | null;
            /** @description Owner name under which the holder acts. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * Tombstone
         * @description The record of a withdrawn dataset, whose content is permanently deleted from the archive.
         */
        Tombstone: {
            /** @description Names of the authors of this version. Empty if they are not known, for example after a rebuild. */
            authors: string[];
            /**
             * Format: date-time
             * @description Time at which the first version was archived; for the public, the first one that it saw.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            /** @description Persistent identifier of the newest version that was published: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. */
            identifier: string;
            /** @description Identifiers under which versions were published. */
            identifiers: string[];
            identifierType: components["schemas"]["IdentifierType"];
            /** @description Reason that the admin stated. */
            reason: string;
            /** @description Time at which the content was deleted; null until then. */
            removedAt: string | null;
            /** @description Title of the newest version; for the public, of the newest one that was published. */
            title: string;
            /** @description Versions of the dataset; for the public, only those that were published. */
            versions: components["schemas"]["WithdrawnVersion"][];
            /**
             * Format: date-time
             * @description Time of the withdrawal.
             */
            withdrawnAt: string;
            /** @description Admin who withdrew the dataset; null for the public. */
            withdrawnBy: string | null;
        };
        /**
         * Unpacking
         * @description Names that Windows, macOS or common file systems cannot keep when a package is unpacked.
         */
        Unpacking: {
            /** @description Number of files whose names were examined: all, or the first ones of a large dataset. */
            examined: number;
            /** @description Number of files whose names are not possible on every system. */
            files: number;
            /** @description The first of these files, at most 20. */
            named: components["schemas"]["DifferentName"][];
        };
        /**
         * UnreadableData
         * @description Objects that cannot be read.
         */
        UnreadableData: {
            /** @description Number of unreadable objects. */
            count: number;
            /** @description Errors of the first unreadable objects. */
            objects?: components["schemas"]["FileError"][];
        };
        /** UnreadableEvent */
        UnreadableEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["UnreadableData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "objects_unreadable";
        };
        /**
         * UnreadableStorageClass
         * @description A storage class whose objects must be restored before they can be read.
         */
        UnreadableStorageClass: {
            /** @description Number of objects. */
            objects: number;
            /** @description Name of the storage class on the server. */
            storageClass: string;
        };
        /**
         * Upload
         * @description Files that are sent to the service, to become the source of a submission.
         */
        Upload: {
            /** @description Address to which many small files are sent in one request. */
            batch: string;
            /** @description Size of all files and parts together, in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description When it is deleted unless something is sent before; null if it belongs to a submission. */
            expiresAt: string | null;
            /** @description Number of files. */
            fileCount: number;
            /** @description Address to which tus clients send files. */
            files: string;
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            id: string;
            /** @description Number of files that have not arrived completely. */
            incompleteFiles: number;
            parts: components["schemas"]["UploadParts"];
            /** @description Bytes that have arrived. */
            receivedBytes: number;
            /** @description Becomes larger when a file is added, completed or removed. A submission can state it. */
            revision: number;
            /** @description Id of the submission that reads the files; null while files can be added. */
            submission: string | null;
        };
        /**
         * UploadBatch
         * @description Small files: for each of at most 10,000, the parts `path`, `sha512` if it is known, and `file`, in this order.
         */
        UploadBatch: {
            /**
             * Format: binary
             * @description Content of the file; at most 8 MiB.
             */
            file: string;
            /** @description Path of the next file, which becomes its key. */
            path: string;
            /** @description SHA-512 of the next file in hex, which the service compares. */
            sha512?: string;
        };
        /**
         * UploadFile
         * @description A file of an upload.
         */
        UploadFile: {
            /** @description Size of the whole file, in bytes. */
            bytes: number;
            /** @description When the file was complete, and had the stated SHA-512; null until then. */
            completedAt: string | null;
            /** @description Whether the bytes that arrived last did not have the stated SHA-512, and were removed. */
            digestMismatch: boolean;
            /** @description Path of the file, which becomes its key; empty for a part that was not joined. */
            path: string;
            /** @description Bytes that count. The last one counts when the whole file was compared with its SHA-512. */
            receivedBytes: number;
            /** @description SHA-512 that the client has stated, in hex; null without one. */
            sha512: string | null;
            /** @description Address of the file for tus clients. */
            url: string;
        };
        /**
         * UploadFiles
         * @description Files of an upload, by path in byte order.
         */
        UploadFiles: {
            /** @description The files. */
            files: components["schemas"]["UploadFile"][];
            /** @description `after` of the next page; null on the last one. */
            next: string | null;
        };
        /**
         * UploadParts
         * @description Parts of files that were sent and not joined.
         */
        UploadParts: {
            /** @description Size of all of them together, in bytes. */
            bytes: number;
            /** @description Number of parts. */
            count: number;
        };
        /**
         * UploadReference
         * @description The upload that the submission reads, instead of a bucket.
         */
        UploadReference: {
            /** @description Id of the upload. */
            id: string;
            /**
             * @description `revision` of the upload whose files the client has seen. If files were changed since, the submission is refused (`upload_changed`).
             * @example 3
             */
            revision?: number;
        };
        /**
         * UploadRequest
         * @description A request to archive a bucket.
         */
        UploadRequest: {
            dataset?: components["schemas"]["DatasetReference"];
            /** @description Lists of checksums that were computed where the data were produced. Every listed file is compared before the dataset is packaged. An empty list ignores the manifests of a bag (RFC 8493), which are used otherwise. */
            digests?: components["schemas"]["DigestList"][];
            metadata: components["schemas"]["Metadata"];
            notify?: components["schemas"]["Notify"];
            /**
             * @description Whether the service reserves a DOI for the version now, for example to cite it in a manuscript. It resolves after publication.
             * @example true
             */
            reserveDoi?: boolean;
            s3Access?: components["schemas"]["S3Access"];
            selection?: components["schemas"]["Selection"];
            upload?: components["schemas"]["UploadReference"];
        };
        /**
         * UploadWish
         * @description Who is told before the upload expires.
         */
        UploadWish: {
            notify?: components["schemas"]["Notify"];
        };
        /**
         * UsageCounts
         * @description Metrics of COUNTER for datasets; see docs/usage-statistics.md.
         */
        UsageCounts: {
            /** @description `Total_Dataset_Investigations`: uses of content and of information about it. */
            totalInvestigations: number;
            /** @description `Total_Dataset_Requests`: downloads of files and packages. */
            totalRequests: number;
            /** @description `Unique_Dataset_Investigations`: sessions with an investigation. */
            uniqueInvestigations: number;
            /** @description `Unique_Dataset_Requests`: sessions with a request. */
            uniqueRequests: number;
        };
        /**
         * UsageSum
         * @description `regular`: by people with a browser. `machine`: by programs, such as scripts.
         */
        UsageSum: {
            machine: components["schemas"]["UsageCounts"];
            regular: components["schemas"]["UsageCounts"];
        };
        /**
         * UsedDataset
         * @description Use of one dataset in all these months. `regular`: by people with a browser. `machine`: by programs, such as scripts.
         */
        UsedDataset: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            id: string;
            machine: components["schemas"]["UsageCounts"];
            regular: components["schemas"]["UsageCounts"];
            /** @description Title of the newest published version; null if it was withdrawn. */
            title: string | null;
            /** @description Landing page. */
            url: string;
        };
        /**
         * UsedDigestList
         * @description A digest list that the submission uses.
         */
        UsedDigestList: {
            /** @description Number of checksums in the list. */
            entries: number;
            /** @description Name of the file, or its key; empty if unknown. */
            name: string;
            /**
             * @description Where the list is: in the request, in the source, or in the source as a manifest of a bag.
             * @enum {unknown}
             */
            origin: "request" | "source" | "bag";
        };
        /**
         * Validation
         * @description The result of a metadata validation.
         */
        Validation: {
            /** @description Errors because of which a submission would be rejected. */
            errors: components["schemas"]["Remark"][];
            /** @description Metadata as it would be archived; null if invalid. */
            normalized: unknown | null;
            /** @description Whether the metadata has no errors. */
            valid: boolean;
            /** @description Suggestions that do not prevent a submission. */
            warnings: components["schemas"]["Remark"][];
        };
        /**
         * VerifiedBy
         * @description Evidence for a file: `submitter` (a checksum of a digest list), `checksum` (a checksum from the server), `md5` (the ETag is the MD5 of the object), `md5-parts` (the ETag is derived from the MD5 of the parts) or `length` (only the length was compared).
         * @enum {unknown}
         */
        VerifiedBy: "submitter" | "checksum" | "md5" | "md5-parts" | "length";
        /**
         * Version
         * @description A version of a dataset.
         */
        Version: {
            /** @description Total size of the objects in bytes. */
            bytes: number;
            /** @description Persistent identifier of the version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. */
            identifier: string;
            identifierType: components["schemas"]["IdentifierType"];
            /** @description Number of objects in the version. */
            objects: number;
            /**
             * Format: date-time
             * @description Time at which the version was archived.
             */
            publishedAt: string;
            /** @description Id of the submission that created the version; null for the public. */
            submission: string | null;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * VersionData
         * @description The version of a dataset that the event is about.
         */
        VersionData: {
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * VocabularyKind
         * @description What the entries of a vocabulary describe.
         * @enum {unknown}
         */
        VocabularyKind: "organisations" | "funders" | "subjects";
        /**
         * VocabularyResult
         * @description An entry of a controlled vocabulary.
         */
        VocabularyResult: {
            /** @description Acronyms, at most 10. */
            acronyms: string[];
            /** @description Other names, also in other languages; at most 10. */
            alternativeNames: string[];
            /** @description Text that distinguishes entries of the same name: place and country of an organisation or funder, notation and scheme of a subject; null if unknown. */
            detail: string | null;
            /** @description Identifier of the entry, usually a web address. */
            id: string;
            /** @description Language of `name` (BCP 47); null if unknown. */
            language: string | null;
            /** @description Preferred name. */
            name: string;
            /** @description Code of a subject in its scheme; null if it has none. */
            notation: string | null;
            /** @description Type of the identifier (`ROR`, `Crossref Funder ID`, `GRID`, `ISNI`, `Other`), or name of the subject scheme; null if unknown. */
            scheme: string | null;
            /** @description Address of the scheme; null if unknown. */
            schemeUri: string | null;
            /** @description Name of the vocabulary that contains the entry. */
            vocabulary: string;
        };
        /**
         * Webhook
         * @description An address that receives events of submissions.
         */
        Webhook: {
            /**
             * Format: date-time
             * @description Time at which the webhook was registered.
             */
            createdAt: string;
            deliveredAt: string | null;
            disabledAt: string | null;
            disabledBecause: ("gone" | "failing") | null;
            /** @description Event types that the webhook receives; null for all types, including types that later versions add. */
            events: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "metadata_changed" | "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "doi_reserved" | "reservation_delayed" | "registering" | "registration_delayed" | "published" | "access_changed" | "access_requested" | "access_reminder" | "access_granted" | "access_refused" | "access_revoked" | "publication_withdrawn" | "publication_reminder" | "embargo_ending" | "embargo_ended" | "withdrawn")[] | null;
            /**
             * @description Format of deliveries.
             * @enum {unknown}
             */
            format: "json" | "cloudevents";
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            id: string;
            oldKeysUntil: string | null;
            /** @description Owner of the webhook. Without `submission`, it receives events of all submissions of this owner. */
            owner: string;
            /** @description Public key for `v1a` signatures: `whpk_` and the Ed25519 key in Base64. */
            publicKey: string;
            submission: string | null;
            /** @description Address to which deliveries are sent. */
            url: string;
        };
        /**
         * WebhookChanges
         * @description Changes to a webhook.
         */
        WebhookChanges: {
            /** @description Event types that the webhook receives; null for all types, including types that later versions add. */
            events?: ("accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "resumed" | "failed" | "retried" | "cancelled" | "metadata_changed" | "publication_requested" | "publication_assigned" | "publication_commented" | "comment_resolved" | "changes_requested" | "publication_declined" | "publication_approved" | "publication_taken_back" | "doi_requested" | "doi_reserved" | "reservation_delayed" | "registering" | "registration_delayed" | "published" | "access_changed" | "access_requested" | "access_reminder" | "access_granted" | "access_refused" | "access_revoked" | "publication_withdrawn" | "publication_reminder" | "embargo_ending" | "embargo_ended" | "withdrawn")[] | null;
        };
        /**
         * Withdrawal
         * @description The withdrawal of a dataset.
         */
        Withdrawal: {
            /**
             * Format: date-time
             * @description Time of the withdrawal.
             */
            at: string;
            /** @description Admin who withdrew the dataset. */
            by: string;
            /** @description Reason that the admin stated. */
            reason: string;
        };
        /**
         * WithdrawalData
         * @description The withdrawal of a dataset.
         */
        WithdrawalData: {
            /** @description Admin who withdrew the dataset. */
            by: string;
            /**
             * Format: uuid
             * @description Id of the dataset.
             */
            dataset: string;
            /** @description Reason that the admin stated. */
            reason: string;
            /** @description Number of the version. Absent from events of early releases. */
            version?: number;
        };
        /** WithdrawnEvent */
        WithdrawnEvent: {
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Number of the attempt. */
            attempt: number;
            data: components["schemas"]["WithdrawalData"];
            /** @description Number of the event in the event history of the submission. */
            id: number;
            /** @description Human-readable description. */
            message: string;
            /** @enum {unknown} */
            type: "withdrawn";
        };
        /**
         * WithdrawnPublication
         * @description The withdrawal of a published version. The archive keeps its files for the owner and curators.
         */
        WithdrawnPublication: {
            /** @description Time of the withdrawal. */
            at: string | null;
            /** @description Names of its authors. */
            authors: string[];
            /** @description Identifier under which it was published. */
            identifier: string | null;
            identifierType: components["schemas"]["IdentifierType"] | null;
            /** @description Time of publication. */
            publishedAt: string | null;
            /** @description Reason for the withdrawal. */
            reason: string;
            /** @description Title of the version. */
            title: string;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * WithdrawnVersion
         * @description A version of a withdrawn dataset.
         */
        WithdrawnVersion: {
            /** @description Total size of these objects in bytes. */
            bytes: number;
            /** @description Number of objects that the version had. */
            objects: number;
            /** @description Publication of the version; null if it was not published. */
            publication: components["schemas"]["WithdrawnVersionPublication"] | null;
            /**
             * Format: date-time
             * @description Time at which the version was archived.
             */
            publishedAt: string;
            /** @description Path of the receipt; null for the public. */
            receipt: string | null;
            /** @description Id of the submission that created the version; null for the public. */
            submission: string | null;
            /** @description Number of the version. */
            version: number;
        };
        /**
         * WithdrawnVersionPublication
         * @description The publication of a version that was withdrawn.
         */
        WithdrawnVersionPublication: {
            /** @description Identifier under which it was published. */
            identifier: string | null;
            identifierType: components["schemas"]["IdentifierType"] | null;
            /**
             * Format: date-time
             * @description Time of publication.
             */
            publishedAt: string;
        };
        /**
         * WithdrawRequest
         * @description The reason for a withdrawal.
         */
        WithdrawRequest: {
            /** @description Reason for the withdrawal. The tombstone contains it. */
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
         * @description - `foreign_origin`: Web pages from this origin may not call the service.
         *     - `foreign_host`: The service does not accept the host name in the request.
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
         * @description - `foreign_origin`: Web pages from this origin may not call the service.
         *     - `foreign_host`: The service does not accept the host name in the request.
         *     - `forbidden`: Your account does not have this permission.
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
        /** @description - `internal_error`: An internal error occurred. */
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
        /** @description - `invalid_request`: The request contains errors. */
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
        /** @description - `rate_limited`: Too many requests were sent. */
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
        /** @description - `request_timeout`: The upload of the request took too long. */
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
         * @description - `foreign_origin`: Web pages from this origin may not call the service.
         *     - `foreign_host`: The service does not accept the host name in the request.
         *     - `forbidden`: Your account does not have this permission.
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
        /** @description - `internal_error`: An internal error occurred. */
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
        /** @description - `invalid_request`: The request contains errors. */
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
        /** @description - `rate_limited`: Too many requests were sent. */
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
         * @description - `unauthenticated`: Authentication is required.
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
         * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
         *     - `identity_unavailable`: The identity provider cannot be reached.
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
        /** @description - `unsupported_media_type`: The media type is not supported. */
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
         * @description - `unauthenticated`: Authentication is required.
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
        /** @description - `unavailable`: The service is starting, is stopping or cannot reach its database. */
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
         * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
         *     - `identity_unavailable`: The identity provider cannot be reached.
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
        /** @description - `unsupported_media_type`: The media type is not supported. */
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
         * @description `bytes` for a file, `none` for a ZIP archive.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Identifier of the state of the collection itself, for `If-Match`.
         * @example "c1"
         */
        CollectionTag: string;
        /**
         * @description Suggested file name (RFC 6266).
         * @example attachment; filename="receipt-6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11.jws"
         */
        "Content-Disposition": string;
        /**
         * @description Range of the bytes in the body, and the size of the file. With status 416, the size alone.
         * @example bytes 0-1023/85146
         */
        "Content-Range": string;
        /**
         * @description Identifier of the content.
         * @example "T40Yw0mXc1dXwFq2k8v1Zg"
         */
        ETag: string;
        /**
         * @description `true` if an earlier, identical request created the submission. Otherwise absent.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description Typed links (RFC 8288). For a dataset: the FAIR Signposting relations. For a file or an export: the dataset that it belongs to.
         * @example <https://archive.example.org/dataset/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02>; rel="collection"; type="text/html"
         */
        Links: string;
        /**
         * @description Path of the created resource.
         * @example /submission/6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11
         */
        Location: string;
        /**
         * @description Identifier of the state of the metadata, for `If-Match`.
         * @example "1.1"
         */
        MetadataTag: string;
        /**
         * @description Link to the next page, with `rel="next"` (RFC 8288). Absent on the last page.
         * @example </submission?limit=50&cursor=MjAyNi0xMS0wMVQwODozMDowMC4wMDBa>; rel="next"
         */
        NextPage: string;
        /**
         * @description Path of the web page.
         * @example /app/datasets/b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
         */
        Page: string;
        /**
         * @description Identifier of the page, for `If-None-Match`. Absent from JSON.
         * @example W/"T40Yw0mXc1dXwFq2k8v1Zg"
         */
        PageTag: string;
        /**
         * @description Identifier of the state of the publication and the metadata, for `If-Match`.
         * @example "p1.2.1"
         */
        PublicationTag: string;
        /**
         * @description Number of requests of this kind that are allowed per minute.
         * @example 600
         */
        "RateLimit-Limit": number;
        /**
         * @description Number of requests that are left.
         * @example 0
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the limit is fully restored.
         * @example 12
         */
        "RateLimit-Reset": number;
        /**
         * @description SHA-512 of the whole file (RFC 9530). Absent for ZIP archives.
         * @example sha-512=:Tw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTw8PTQ==:
         */
        "Repr-Digest": string;
        /**
         * @description Seconds to wait before the next request.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Size of the whole file, in bytes.
         * @example 5242880
         */
        "Upload-Length": number;
        /**
         * @description Bytes of the file that have arrived.
         * @example 1048576
         */
        "Upload-Offset": number;
        /**
         * @description Required authentication (RFC 6750, section 3).
         * @example Bearer realm="accession"
         */
        "WWW-Authenticate": string;
        /**
         * @description Id of the request, as in the log of the service.
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
            /** @description The JSON Web Key Set. */
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
    getMailPreference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The choice. */
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
                     *       "language": "de",
                     *       "delivery": "action",
                     *       "address": "ada@lab.example.org",
                     *       "serviceLanguage": "en",
                     *       "reachesCurators": true
                     *     }
                     */
                    "application/json": components["schemas"]["MailPreference"];
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
    setMailPreference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The choice of the caller about e-mail. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "de",
                 *       "delivery": "action"
                 *     }
                 */
                "application/json": components["schemas"]["MailChoice"];
            };
        };
        responses: {
            /** @description The choice. */
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
                     *       "language": "de",
                     *       "delivery": "action",
                     *       "address": "ada@lab.example.org",
                     *       "serviceLanguage": "en",
                     *       "reachesCurators": true
                     *     }
                     */
                    "application/json": components["schemas"]["MailPreference"];
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
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
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
                     *       ],
                     *       "roleAccess": {
                     *         "principal": "arn:aws:iam::123456789012:user/accession",
                     *         "externalId": "0f3c1b7f5d1d4b0c9d0a7a7d2a0c4a1e6a0b9b0c3f5e4d7c8b9a0f1e2d3c4b5a"
                     *       }
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
    listCollections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collections. */
            200: {
                headers: {
                    ETag: components["headers"]["PageTag"];
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
                     *         "id": "barley",
                     *         "url": "https://archive.example.org/collections/barley",
                     *         "name": {
                     *           "en": "Barley",
                     *           "de": "Gerste"
                     *         },
                     *         "description": {
                     *           "en": "Field trials with barley.",
                     *           "de": "Feldversuche mit Gerste."
                     *         },
                     *         "licences": [
                     *           "CC-BY-4.0",
                     *           "CC0-1.0"
                     *         ],
                     *         "datasets": 12,
                     *         "changedAt": "2026-11-03T09:00:00.000Z",
                     *         "curators": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Collection"][];
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     …
                     */
                    "text/html": string;
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
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the collection.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    ETag: components["headers"]["CollectionTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "barley",
                     *       "url": "https://archive.example.org/collections/barley",
                     *       "name": {
                     *         "en": "Barley",
                     *         "de": "Gerste"
                     *       },
                     *       "description": {
                     *         "en": "Field trials with barley.",
                     *         "de": "Feldversuche mit Gerste."
                     *       },
                     *       "licences": [
                     *         "CC-BY-4.0",
                     *         "CC0-1.0"
                     *       ],
                     *       "datasets": 12,
                     *       "changedAt": "2026-11-03T09:00:00.000Z",
                     *       "curators": []
                     *     }
                     */
                    "application/json": components["schemas"]["Collection"];
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     …
                     */
                    "text/html": string;
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
    setCollection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the collection that is changed.
                 * @example "c1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the collection: 2 to 64 lower-case letters, digits and hyphens, beginning and ending with a letter or digit. It never changes.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What admins decide about a collection. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": {
                 *         "en": "Barley",
                 *         "de": "Gerste"
                 *       },
                 *       "description": {
                 *         "en": "Field trials with barley.",
                 *         "de": "Feldversuche mit Gerste."
                 *       },
                 *       "curators": [],
                 *       "licences": [
                 *         "CC-BY-4.0",
                 *         "CC0-1.0"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CollectionContent"];
            };
        };
        responses: {
            /** @description The collection was changed. */
            200: {
                headers: {
                    ETag: components["headers"]["CollectionTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "barley",
                     *       "url": "https://archive.example.org/collections/barley",
                     *       "name": {
                     *         "en": "Barley",
                     *         "de": "Gerste"
                     *       },
                     *       "description": {
                     *         "en": "Field trials with barley.",
                     *         "de": "Feldversuche mit Gerste."
                     *       },
                     *       "licences": [
                     *         "CC-BY-4.0",
                     *         "CC0-1.0"
                     *       ],
                     *       "datasets": 12,
                     *       "changedAt": "2026-11-03T09:00:00.000Z",
                     *       "curators": []
                     *     }
                     */
                    "application/json": components["schemas"]["Collection"];
                };
            };
            /** @description The collection was created. */
            201: {
                headers: {
                    ETag: components["headers"]["CollectionTag"];
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
                     *       "id": "barley",
                     *       "url": "https://archive.example.org/collections/barley",
                     *       "name": {
                     *         "en": "Barley",
                     *         "de": "Gerste"
                     *       },
                     *       "description": {
                     *         "en": "Field trials with barley.",
                     *         "de": "Feldversuche mit Gerste."
                     *       },
                     *       "licences": [
                     *         "CC-BY-4.0",
                     *         "CC0-1.0"
                     *       ],
                     *       "datasets": 0,
                     *       "changedAt": "2026-11-03T09:00:00.000Z",
                     *       "curators": []
                     *     }
                     */
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `too_many_collections`: The limit of collections has been reached. */
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
            /** @description - `collection_conflict`: The collection was changed in the meantime. */
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
            422: components["responses"]["InvalidRequest"];
            /** @description - `if_match_required`: The header If-Match is missing. */
            428: {
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
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /**
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unwritable`: The service cannot write to the archive.
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
    deleteCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the collection.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection is deleted. */
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
            /**
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unwritable`: The service cannot write to the archive.
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
    searchCollection: {
        parameters: {
            query?: {
                /**
                 * @description Access to the files now. An embargo that has ended is `open`.
                 * @example [
                 *       "open"
                 *     ]
                 */
                access?: ("open" | "embargoed" | "restricted")[];
                /**
                 * @description Authors: ORCID iDs or ROR ids as URLs, or names (“family, given”).
                 * @example [
                 *       "https://orcid.org/0000-0002-1825-0097"
                 *     ]
                 */
                author?: string[];
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of values of each kind, the most frequent first. Only with `facets=true`.
                 * @example 10
                 */
                facetLimit?: number;
                /**
                 * @description Whether to count the values by which the search can be narrowed down.
                 * @example true
                 */
                facets?: boolean;
                /**
                 * @description File formats: extensions of file names.
                 * @example [
                 *       "csv"
                 *     ]
                 */
                format?: string[];
                /**
                 * @description Funders: identifiers, or names.
                 * @example [
                 *       "https://ror.org/018mejw64"
                 *     ]
                 */
                funder?: string[];
                /**
                 * @description Institutions: ROR ids as URLs, or names.
                 * @example [
                 *       "https://ror.org/02skbsp27"
                 *     ]
                 */
                institution?: string[];
                /**
                 * @description Licences: SPDX ids, or names.
                 * @example [
                 *       "CC-BY-4.0"
                 *     ]
                 */
                licence?: string[];
                /**
                 * @description Maximum number of datasets per page.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Search text. All words must occur in the metadata, or in the names of files that are open. The beginning of a word is enough, and English and German endings are ignored, as are case and diacritics. `"…"` searches a phrase, and `-` before a word or a phrase excludes it. A DOI, or the id of a dataset, finds that dataset.
                 * @example soil moisture
                 */
                q?: string;
                /**
                 * @description Order. Default: `relevance` with a search text, `newest` without.
                 * @example newest
                 */
                sort?: "relevance" | "newest" | "oldest" | "title";
                /**
                 * @description Keywords or subject terms.
                 * @example [
                 *       "soil moisture"
                 *     ]
                 */
                subject?: string[];
                /**
                 * @description General resource types of DataCite.
                 * @example [
                 *       "Dataset"
                 *     ]
                 */
                type?: string[];
                /**
                 * @description Years of publication, as in citations.
                 * @example [
                 *       "2026"
                 *     ]
                 */
                year?: string[];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the collection.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of published datasets. */
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
                     * @example {
                     *       "total": 1,
                     *       "datasets": [
                     *         {
                     *           "id": "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "url": "https://archive.example.org/dataset/0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "identifier": "https://doi.org/10.5072/k7m2q9xa",
                     *           "identifierType": "DOI",
                     *           "version": 1,
                     *           "versionLabel": "1",
                     *           "title": "Soil moisture of 24 wheat plots",
                     *           "creators": [
                     *             "Carberry, Josiah"
                     *           ],
                     *           "creatorCount": 1,
                     *           "description": "Hourly soil moisture of 24 plots.",
                     *           "keywords": [
                     *             "soil moisture"
                     *           ],
                     *           "year": "2026",
                     *           "licence": "Creative Commons Attribution 4.0 International",
                     *           "resourceType": "Dataset",
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "publishedAt": "2026-11-03T09:00:00.000Z",
                     *           "changedAt": "2026-11-03T09:00:02.000Z",
                     *           "objects": 24,
                     *           "bytes": 1048576,
                     *           "matchedIn": [
                     *             "title",
                     *             "names"
                     *           ]
                     *         }
                     *       ],
                     *       "facets": [
                     *         {
                     *           "kind": "year",
                     *           "value": "2026",
                     *           "label": "2026",
                     *           "datasets": 1,
                     *           "isEstimated": false
                     *         }
                     *       ],
                     *       "matches": [
                     *         "moisture",
                     *         "soil"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Catalogue"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            404: components["responses"]["NotFound"];
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
    addToCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                dataset: string;
                /**
                 * @description Id of the collection.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset belongs to the collection. */
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `collection_curators`: You are not a curator of this collection.
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
             * @description - `collection_licence`: The collection does not accept the licence of the dataset.
             *     - `not_published`: The version is not published.
             *     - `publication_off`: This service does not publish datasets.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    removeFromCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                dataset: string;
                /**
                 * @description Id of the collection.
                 * @example barley
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset does not belong to the collection. */
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `collection_curators`: You are not a curator of this collection.
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
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listCurators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The known curators. */
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
                     *         "owner": "josiah",
                     *         "assigned": 2
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Curator"][];
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
    removeCurator: {
        parameters: {
            query: {
                /**
                 * @description Account name, as in the list of known curators.
                 * @example https://sso.example.org/realms/research#josiah
                 */
                owner: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is no longer a known curator. */
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
    listDatasets: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only entries of this owner. For curators and admins.
                 * @example josiah
                 */
                owner?: string;
                /**
                 * @description Search text: a part of the title, or the beginnings of words that all occur in the title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics are ignored.
                 * @example moisture
                 */
                q?: string;
                /**
                 * @description Only entries that changed after this time (ISO 8601 with a time zone).
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
            /** @description A page of datasets. */
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
                     *         "identifierType": "URN",
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
                 * @description On the page: the position after which files are listed, in `folder` or, without it, in the folder of the file that follows.
                 * @example 49
                 */
                after?: number;
                /**
                 * @description Whether the response has `details` of the version. Default: false.
                 * @example true
                 */
                details?: boolean;
                /**
                 * @description On the page: words that the paths of the listed files contain, regardless of case. In versions with more than 100,000 files, the beginning of the paths below `data/`.
                 * @example plot csv
                 */
                find?: string;
                /**
                 * @description On the page: the folder whose files are listed, as a path below `data/`. Default: all files.
                 * @example measurements/2025/
                 */
                folder?: string;
                /**
                 * @description On the page: the name of the folder with which the list begins.
                 * @example plot-07
                 */
                from?: string;
                /**
                 * @description Language of the page. Default: the one that `Accept-Language` prefers.
                 * @example de
                 */
                lang?: "en" | "de";
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset, or its metadata in the requested format. */
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
                     *       "identifierType": "URN",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "version": 1,
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "versions": [
                     *         {
                     *           "version": 1,
                     *           "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *           "identifierType": "URN",
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
                     *       },
                     *       "view": "full"
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
                     *       "keyword": "wheat; irrigation",
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
            /** @description Redirect to the web page, if `Accept` prefers `text/html` and no version was published. */
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
            /**
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    listAccessGrants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grants. */
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
                     *         "id": "9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611",
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1,
                     *         "kind": "email",
                     *         "person": "ada@example.org",
                     *         "note": "For the comparison with the plots in Gatersleben",
                     *         "grantedBy": "josiah",
                     *         "createdAt": "2026-06-05T09:00:00.000Z",
                     *         "expiresAt": "2027-06-05T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "revokedBy": null,
                     *         "uses": 3,
                     *         "firstUsedAt": "2026-06-05T09:30:00.000Z",
                     *         "usedAt": "2026-06-07T16:20:00.000Z",
                     *         "inForce": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessGrant"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    grantAccess: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Access to grant. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "subject",
                 *       "person": "ada",
                 *       "note": "For the comparison with the plots in Gatersleben"
                 *     }
                 */
                "application/json": components["schemas"]["AccessGrantRequest"];
            };
        };
        responses: {
            /** @description The grant. */
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
                     *       "id": "9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611",
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "kind": "email",
                     *       "person": "ada@example.org",
                     *       "note": "For the comparison with the plots in Gatersleben",
                     *       "grantedBy": "josiah",
                     *       "createdAt": "2026-06-05T09:00:00.000Z",
                     *       "expiresAt": "2027-06-05T00:00:00.000Z",
                     *       "revokedAt": null,
                     *       "revokedBy": null,
                     *       "uses": 0,
                     *       "firstUsedAt": null,
                     *       "usedAt": null,
                     *       "inForce": true,
                     *       "secret": null,
                     *       "url": null
                     *     }
                     */
                    "application/json": components["schemas"]["NewAccessGrant"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `publication_off`: This service does not publish datasets.
             *     - `not_published`: The version is not published.
             *     - `access_limit`: The dataset has too many grants or open requests.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    revokeAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the grant.
                 * @example 9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611
                 */
                grant: string;
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant is revoked. */
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listAccessGrantUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the grant.
                 * @example 9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611
                 */
                grant: string;
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was read. */
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
                     *         "kind": "file",
                     *         "path": "data/measurements/plot-01.csv",
                     *         "version": 1,
                     *         "uses": 2,
                     *         "firstUsedAt": "2026-06-05T09:31:00.000Z",
                     *         "lastUsedAt": "2026-06-07T16:20:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessGrantUse"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listAccessRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
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
                     *         "id": "2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722",
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1,
                     *         "account": null,
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.org",
                     *         "emailVerified": false,
                     *         "reason": "I would like to compare the soil moisture with our plots.",
                     *         "createdAt": "2026-06-04T09:00:00.000Z",
                     *         "state": "open",
                     *         "decidedBy": null,
                     *         "decidedAt": null,
                     *         "answer": "",
                     *         "grant": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessRequest"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    requestAccess: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A request for access to closed files. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "I would like to compare the soil moisture with our plots.",
                 *       "name": "Ada Lovelace",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["AccessRequestBody"];
            };
        };
        responses: {
            /** @description The request is received. */
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
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequestReceived"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `publication_off`: This service does not publish datasets.
             *     - `not_published`: The version is not published.
             *     - `access_not_needed`: You can already read the files.
             *     - `access_limit`: The dataset has too many grants or open requests.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    grantAccessRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
                /**
                 * @description Id of the request for access.
                 * @example 2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722
                 */
                request: string;
            };
            cookie?: never;
        };
        /** @description How a request is granted. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "as": "link",
                 *       "answer": "You are welcome."
                 *     }
                 */
                "application/json": components["schemas"]["AccessRequestGrant"];
            };
        };
        responses: {
            /** @description The answered request, and the grant. */
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
                     *       "request": {
                     *         "id": "2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722",
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1,
                     *         "account": null,
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.org",
                     *         "emailVerified": false,
                     *         "reason": "I would like to compare the soil moisture with our plots.",
                     *         "createdAt": "2026-06-04T09:00:00.000Z",
                     *         "state": "granted",
                     *         "decidedBy": null,
                     *         "decidedAt": null,
                     *         "answer": "",
                     *         "grant": "9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611"
                     *       },
                     *       "grant": {
                     *         "id": "9a4f7d0b-6a35-4e0b-8f0c-2f1de7c4b611",
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1,
                     *         "kind": "email",
                     *         "person": "ada@example.org",
                     *         "note": "For the comparison with the plots in Gatersleben",
                     *         "grantedBy": "josiah",
                     *         "createdAt": "2026-06-05T09:00:00.000Z",
                     *         "expiresAt": "2027-06-05T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "revokedBy": null,
                     *         "uses": 0,
                     *         "firstUsedAt": null,
                     *         "usedAt": null,
                     *         "inForce": true,
                     *         "secret": null,
                     *         "url": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GrantedAccess"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `publication_off`: This service does not publish datasets.
             *     - `not_published`: The version is not published.
             *     - `access_answered`: The request for access was already answered.
             *     - `access_limit`: The dataset has too many grants or open requests.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    refuseAccessRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
                /**
                 * @description Id of the request for access.
                 * @example 2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722
                 */
                request: string;
            };
            cookie?: never;
        };
        /** @description Why a request is refused. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answer": "The data contain addresses. Please contact us."
                 *     }
                 */
                "application/json": components["schemas"]["AccessRequestRefusal"];
            };
        };
        responses: {
            /** @description The answered request. */
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
                     *       "id": "2d1c8a54-7b7e-4a52-9b8b-5f0a3c9de722",
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "account": null,
                     *       "name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "emailVerified": false,
                     *       "reason": "I would like to compare the soil moisture with our plots.",
                     *       "createdAt": "2026-06-04T09:00:00.000Z",
                     *       "state": "refused",
                     *       "decidedBy": null,
                     *       "decidedAt": null,
                     *       "answer": "",
                     *       "grant": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequest"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `access_answered`: The request for access was already answered. */
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The content of the download: either a `path` or a `format`. */
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
            /** @description The download link. */
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Format of the export.
                 * @example datacite-json
                 */
                format: "ro-crate" | "bagit" | "schema-org" | "datacite-json" | "datacite-xml" | "dublin-core" | "dcat" | "croissant" | "csl" | "bibtex" | "ris";
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dataset in the requested format. */
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
                     *       "keyword": "wheat; irrigation",
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    listFieldGroupsOfDataset: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups. */
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
                     *         "name": "plants",
                     *         "title": "Plants",
                     *         "titles": {
                     *           "de": "Pflanzen"
                     *         },
                     *         "descriptions": {},
                     *         "required": false,
                     *         "fields": [
                     *           {
                     *             "name": "organism",
                     *             "title": "Organism",
                     *             "titles": {
                     *               "de": "Organismus"
                     *             },
                     *             "descriptions": {},
                     *             "required": true,
                     *             "variable": false,
                     *             "type": "text",
                     *             "maxLength": 200
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FieldGroup"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listDatasetFiles: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Format of the list. Default: the one that `Accept` prefers.
                 * @example csv
                 */
                format?: "json" | "csv";
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only files whose path starts with this text.
                 * @example data/measurements/
                 */
                prefix?: string;
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description Returns 412 unless the ETag is equal to this one.
                 * @example *
                 */
                "if-match"?: string;
                /**
                 * @description Returns 304 if the ETag is equal to this one.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-none-match"?: string;
                /**
                 * @description Returns the range only if the ETag is equal to this one; otherwise the whole file.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-range"?: string;
                /**
                 * @description Ranges of bytes to return.
                 * @example bytes=0-1023
                 */
                range?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
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
            /** @description The file with the media type that the source stated, or the folder as a ZIP archive. */
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
            /** @description The requested ranges of the file. Several ranges are sent as `multipart/byteranges`. */
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
            /** @description The file has not changed. */
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            /** @description - `precondition_failed`: The file’s ETag differs from the If-Match header. */
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
            /** @description - `range_not_satisfiable`: The requested range is outside the file. */
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
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
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
                    "application/linkset": string;
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
            /**
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    getMetadata: {
        parameters: {
            query?: {
                /**
                 * @description Number of the metadata revision. Default: the latest revision.
                 * @example 1
                 */
                revision?: number;
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    ETag: components["headers"]["MetadataTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "revision": 1,
                     *       "changedBy": "josiah",
                     *       "changedAt": "2026-11-02T08:30:04.100Z",
                     *       "note": "",
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
                     *       },
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetMetadata"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    changeMetadata: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the current metadata.
                 * @example "1.1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description New metadata of a dataset. They replace all metadata. */
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
                 *       "note": "Corrected the number of plots"
                 *     }
                 */
                "application/json": components["schemas"]["MetadataChange"];
            };
        };
        responses: {
            /** @description The metadata are changed and archived. */
            200: {
                headers: {
                    ETag: components["headers"]["MetadataTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "revision": 2,
                     *       "changedBy": "josiah",
                     *       "changedAt": "2026-11-02T08:30:04.100Z",
                     *       "note": "",
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
                     *       },
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetMetadata"];
                };
            };
            /** @description The change is recorded and not archived yet. Until then the response has the earlier metadata. */
            202: {
                headers: {
                    ETag: components["headers"]["MetadataTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "revision": 1,
                     *       "changedBy": "josiah",
                     *       "changedAt": "2026-11-02T08:30:04.100Z",
                     *       "note": "",
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
                     *       },
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetMetadata"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `quota_exceeded`: Your quota would be exceeded.
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
             * @description - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
             *     - `archive_newer`: The archive has a newer state of the dataset than the database.
             *     - `change_replaced`: A later change of yours replaced this change of the metadata.
             *     - `approved_metadata`: The metadata are approved for publication.
             *     - `revision_limit`: The dataset has the maximum number of metadata revisions.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `metadata_conflict`: The metadata were changed in the meantime. */
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
            422: components["responses"]["InvalidRequest"];
            /** @description - `if_match_required`: The header If-Match is missing. */
            428: {
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
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
            /** @description - `no_space`: The archive does not have enough free space. */
            507: {
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
    };
    getFilesPart: {
        parameters: {
            query?: {
                /**
                 * @description Whether the files that the archive has added are unfolded. Default: false.
                 * @example true
                 */
                added?: boolean;
                /**
                 * @description On the page: the position after which files are listed, in `folder` or, without it, in the folder of the file that follows.
                 * @example 49
                 */
                after?: number;
                /**
                 * @description On the page: words that the paths of the listed files contain, regardless of case. In versions with more than 100,000 files, the beginning of the paths below `data/`.
                 * @example plot csv
                 */
                find?: string;
                /**
                 * @description On the page: the folder whose files are listed, as a path below `data/`. Default: all files.
                 * @example measurements/2025/
                 */
                folder?: string;
                /**
                 * @description On the page: the name of the folder with which the list begins.
                 * @example plot-07
                 */
                from?: string;
                /**
                 * @description Language of the page. Default: the one that `Accept-Language` prefers.
                 * @example de
                 */
                lang?: "en" | "de";
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the list. */
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
                     *       "html": "<section aria-labelledby=\"files\"><h2 id=\"files\">Files</h2><p class=\"dim\">24 files, 2.04 MB</p>…</section>",
                     *       "status": "All files: 2 entries"
                     *     }
                     */
                    "application/json": components["schemas"]["FilesPart"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    getPublication: {
        parameters: {
            query?: {
                /**
                 * @description Returns the part of the history before the entry with this number (`historyBefore`).
                 * @example 201
                 */
                before?: number;
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The publication. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getPublicationRecord: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
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
                    /** @example eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJudW1iZXIiOjF9.c2lnbmF0dXJl */
                    "application/jose": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    approvePublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example "p1.1.1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision with an optional comment. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "Thank you for the careful description."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationStep"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
            /** @description - `if_match_required`: The header If-Match is missing. */
            428: {
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
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    assignPublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The curator who reviews the dataset. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "curator": "josiah"
                 *     }
                 */
                "application/json": components["schemas"]["PublicationAssignment"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    changePublicationAccess: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description New access to the files of a published version. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access": "open",
                 *       "reason": "The article was published."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationAccessChange"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    commentPublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A comment. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "Please state the depth of the sensors.",
                 *       "place": {
                 *         "field": "/description"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PublicationComment"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    declinePublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision that the owner must understand. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "The data are outside of the scope of this repository."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationDecision"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    publish: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision with an optional comment. */
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PublicationStep"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    requestPublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A request for publication. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agreement": true,
                 *       "access": "open"
                 *     }
                 */
                "application/json": components["schemas"]["PublicationRequest"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    requestPublicationChanges: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision that the owner must understand. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "Please add a description of the columns."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationDecision"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    reserveDoi: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision with an optional comment. */
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PublicationStep"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    resolvePublicationComment: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Whether a comment is resolved. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entry": 3
                 *     }
                 */
                "application/json": components["schemas"]["CommentResolution"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    takeBackPublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A decision with an optional comment. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "A table is missing."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationStep"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    withdrawPublication: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: {
                /**
                 * @description `ETag` of the publication that the caller has seen.
                 * @example *
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description A withdrawal of the publication of a version. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The dataset contains personal data."
                 *     }
                 */
                "application/json": components["schemas"]["PublicationWithdrawal"];
            };
        };
        responses: {
            /** @description The publication after the action. */
            200: {
                headers: {
                    ETag: components["headers"]["PublicationTag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "version": 1,
                     *       "revision": 1,
                     *       "approvedRevision": 1,
                     *       "state": "in_review",
                     *       "since": "2026-06-02T09:00:00.000Z",
                     *       "waitingFor": "curator",
                     *       "assignee": null,
                     *       "assigneeIsCurator": null,
                     *       "actions": [
                     *         "comment",
                     *         "take-back"
                     *       ],
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "doi": null,
                     *       "doiState": null,
                     *       "conceptDoi": null,
                     *       "access": "open",
                     *       "embargoDate": null,
                     *       "accessReason": "",
                     *       "filesOpen": false,
                     *       "filesReadable": true,
                     *       "publishOnApproval": true,
                     *       "showSource": false,
                     *       "collections": [],
                     *       "memberOf": [],
                     *       "requestedBy": "josiah",
                     *       "agreement": {
                     *         "sha256": "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
                     *         "language": "en",
                     *         "by": "josiah",
                     *         "at": "2026-06-02T09:00:00.000Z"
                     *       },
                     *       "notified": true,
                     *       "approvedBy": null,
                     *       "reviewedSha512": null,
                     *       "publishedAt": null,
                     *       "withdrawnAt": null,
                     *       "withdrawnReason": null,
                     *       "attempts": 0,
                     *       "nextAttemptAt": null,
                     *       "problem": null,
                     *       "isDelayed": false,
                     *       "checks": [],
                     *       "comments": {
                     *         "total": 0,
                     *         "resolved": 0
                     *       },
                     *       "history": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-02T09:00:00.000Z",
                     *           "actor": "josiah",
                     *           "action": "request",
                     *           "state": "in_review",
                     *           "comment": "",
                     *           "place": null,
                     *           "answers": null,
                     *           "revision": 1,
                     *           "resolved": null,
                     *           "curator": null,
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "party": null,
                     *           "collections": []
                     *         }
                     *       ],
                     *       "historyBefore": null
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `self_approval`: Another person must approve this dataset.
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
             * @description - `publication_off`: This service does not publish datasets.
             *     - `publication_state`: The action is not possible in the present state of the publication.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /** @description - `publication_conflict`: The publication or the metadata were changed in the meantime. */
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
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `publication_not_ready`: The dataset is not ready for publication.
             *     - `agreement_required`: The deposit agreement was not accepted.
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
    listReviewerLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links. */
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
                     *         "id": "0e9a4c55-7d1e-4f0b-8d0f-5d2c8a1b6e44",
                     *         "version": 1,
                     *         "label": "Journal of Soil Data, first round",
                     *         "anonymous": true,
                     *         "state": "usable",
                     *         "createdBy": "josiah",
                     *         "createdAt": "2026-06-03T08:00:00.000Z",
                     *         "expiresAt": "2026-09-01T08:00:00.000Z",
                     *         "revokedAt": null,
                     *         "revokedBy": null,
                     *         "visits": 2,
                     *         "lastVisitAt": "2026-06-12T14:10:00.000Z",
                     *         "filesLeftOut": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ReviewerLink"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    createReviewerLink: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reviewer link to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Journal of Soil Data, first round",
                 *       "anonymous": true
                 *     }
                 */
                "application/json": components["schemas"]["NewReviewerLinkRequest"];
            };
        };
        responses: {
            /** @description The link with its address, which is returned only once. */
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
                     *       "id": "0e9a4c55-7d1e-4f0b-8d0f-5d2c8a1b6e44",
                     *       "version": 1,
                     *       "label": "Journal of Soil Data, first round",
                     *       "anonymous": true,
                     *       "state": "usable",
                     *       "createdBy": "josiah",
                     *       "createdAt": "2026-06-03T08:00:00.000Z",
                     *       "expiresAt": "2026-09-01T08:00:00.000Z",
                     *       "revokedAt": null,
                     *       "revokedBy": null,
                     *       "visits": 0,
                     *       "lastVisitAt": null,
                     *       "filesLeftOut": 1,
                     *       "url": "https://archive.example.org/app/review#rev_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *       "findings": [
                     *         {
                     *           "kind": "name",
                     *           "text": "Carberry",
                     *           "place": {
                     *             "field": "/description"
                     *           }
                     *         },
                     *         {
                     *           "kind": "excluded",
                     *           "text": "README.md",
                     *           "place": {
                     *             "file": "data/README.md"
                     *           }
                     *         }
                     *       ],
                     *       "findingsTotal": 2
                     *     }
                     */
                    "application/json": components["schemas"]["NewReviewerLink"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `publication_off`: This service does not publish datasets.
             *     - `too_many_reviewer_links`: The limit of reviewer links of the dataset has been reached.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
            /**
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    revokeReviewerLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
                /**
                 * @description Id of the link, not its secret.
                 * @example 0e9a4c55-7d1e-4f0b-8d0f-5d2c8a1b6e44
                 */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is revoked. */
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
            /** @description - `publication_off`: This service does not publish datasets. */
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listRevisions: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revisions. */
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
                     *         "revision": 1,
                     *         "changedBy": "josiah",
                     *         "changedAt": "2026-11-02T08:30:04.100Z",
                     *         "note": ""
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MetadataRevision"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    getUnpacking: {
        parameters: {
            query?: {
                /**
                 * @description Number of the version. Default: the latest version.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
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
                     *       "files": 1,
                     *       "named": [
                     *         {
                     *           "path": "data/plots/12:30.csv",
                     *           "reason": "forbidden_character",
                     *           "other": null,
                     *           "detail": "Windows does not allow a character of this name: the file is renamed or missing after unpacking."
                     *         }
                     *       ],
                     *       "examined": 24
                     *     }
                     */
                    "application/json": components["schemas"]["Unpacking"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrIdentityUnavailable"];
        };
    };
    getDatasetUsage: {
        parameters: {
            query?: {
                /**
                 * @description Number of a version. Default: all versions together.
                 * @example 1
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage statistics. */
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
                     *       "id": "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *       "version": null,
                     *       "total": {
                     *         "regular": {
                     *           "totalInvestigations": 412,
                     *           "uniqueInvestigations": 187,
                     *           "totalRequests": 96,
                     *           "uniqueRequests": 41
                     *         },
                     *         "machine": {
                     *           "totalInvestigations": 35,
                     *           "uniqueInvestigations": 6,
                     *           "totalRequests": 30,
                     *           "uniqueRequests": 5
                     *         }
                     *       },
                     *       "months": [
                     *         {
                     *           "month": "2026-11",
                     *           "regular": {
                     *             "totalInvestigations": 412,
                     *             "uniqueInvestigations": 187,
                     *             "totalRequests": 96,
                     *             "uniqueRequests": 41
                     *           },
                     *           "machine": {
                     *             "totalInvestigations": 35,
                     *             "uniqueInvestigations": 6,
                     *             "totalRequests": 30,
                     *             "uniqueRequests": 5
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetUsage"];
                    /**
                     * @example Month,Access_Method,Total_Dataset_Investigations,Unique_Dataset_Investigations,Total_Dataset_Requests,Unique_Dataset_Requests
                     *     2026-11,Regular,412,187,96,41
                     *     2026-11,Machine,35,6,30,5
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
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
                     *         "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "identifierType": "URN",
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
                 * @description Id of the dataset, with or without `urn:uuid:`.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reason for a withdrawal. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The owner of the field did not consent"
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawRequest"];
            };
        };
        responses: {
            /** @description The dataset is withdrawn. */
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
                     *       "identifierType": "URN",
                     *       "title": "Soil moisture of 24 wheat plots",
                     *       "authors": [
                     *         "Carberry, Josiah"
                     *       ],
                     *       "identifiers": [
                     *         "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02"
                     *       ],
                     *       "createdAt": "2026-11-02T08:30:04.100Z",
                     *       "withdrawnAt": "2026-12-01T10:00:00.000Z",
                     *       "withdrawnBy": "admin",
                     *       "reason": "The owner of the field did not consent",
                     *       "removedAt": null,
                     *       "versions": [
                     *         {
                     *           "version": 1,
                     *           "submission": "6f1c2b1e-8a52-4d6e-9d0f-3b8f3f6f0c11",
                     *           "publishedAt": "2026-11-02T08:30:04.100Z",
                     *           "objects": 24,
                     *           "bytes": 2043512,
                     *           "publication": {
                     *             "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *             "identifierType": "URN",
                     *             "publishedAt": "2026-11-03T09:00:00.000Z"
                     *           },
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
            /** @description - `dataset_busy`: Another submission or metadata change of this dataset is in progress. */
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
    searchDatasets: {
        parameters: {
            query?: {
                /**
                 * @description Access to the files now. An embargo that has ended is `open`.
                 * @example [
                 *       "open"
                 *     ]
                 */
                access?: ("open" | "embargoed" | "restricted")[];
                /**
                 * @description Authors: ORCID iDs or ROR ids as URLs, or names (“family, given”).
                 * @example [
                 *       "https://orcid.org/0000-0002-1825-0097"
                 *     ]
                 */
                author?: string[];
                /**
                 * @description Ids of collections.
                 * @example [
                 *       "barley"
                 *     ]
                 */
                collection?: string[];
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of values of each kind, the most frequent first. Only with `facets=true`.
                 * @example 10
                 */
                facetLimit?: number;
                /**
                 * @description Whether to count the values by which the search can be narrowed down.
                 * @example true
                 */
                facets?: boolean;
                /**
                 * @description File formats: extensions of file names.
                 * @example [
                 *       "csv"
                 *     ]
                 */
                format?: string[];
                /**
                 * @description Funders: identifiers, or names.
                 * @example [
                 *       "https://ror.org/018mejw64"
                 *     ]
                 */
                funder?: string[];
                /**
                 * @description Institutions: ROR ids as URLs, or names.
                 * @example [
                 *       "https://ror.org/02skbsp27"
                 *     ]
                 */
                institution?: string[];
                /**
                 * @description Licences: SPDX ids, or names.
                 * @example [
                 *       "CC-BY-4.0"
                 *     ]
                 */
                licence?: string[];
                /**
                 * @description Maximum number of datasets per page.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Search text. All words must occur in the metadata, or in the names of files that are open. The beginning of a word is enough, and English and German endings are ignored, as are case and diacritics. `"…"` searches a phrase, and `-` before a word or a phrase excludes it. A DOI, or the id of a dataset, finds that dataset.
                 * @example soil moisture
                 */
                q?: string;
                /**
                 * @description Order. Default: `relevance` with a search text, `newest` without.
                 * @example newest
                 */
                sort?: "relevance" | "newest" | "oldest" | "title";
                /**
                 * @description Keywords or subject terms.
                 * @example [
                 *       "soil moisture"
                 *     ]
                 */
                subject?: string[];
                /**
                 * @description General resource types of DataCite.
                 * @example [
                 *       "Dataset"
                 *     ]
                 */
                type?: string[];
                /**
                 * @description Years of publication, as in citations.
                 * @example [
                 *       "2026"
                 *     ]
                 */
                year?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of published datasets. */
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
                     * @example {
                     *       "total": 1,
                     *       "datasets": [
                     *         {
                     *           "id": "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "url": "https://archive.example.org/dataset/0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "identifier": "https://doi.org/10.5072/k7m2q9xa",
                     *           "identifierType": "DOI",
                     *           "version": 1,
                     *           "versionLabel": "1",
                     *           "title": "Soil moisture of 24 wheat plots",
                     *           "creators": [
                     *             "Carberry, Josiah"
                     *           ],
                     *           "creatorCount": 1,
                     *           "description": "Hourly soil moisture of 24 plots.",
                     *           "keywords": [
                     *             "soil moisture"
                     *           ],
                     *           "year": "2026",
                     *           "licence": "Creative Commons Attribution 4.0 International",
                     *           "resourceType": "Dataset",
                     *           "access": "open",
                     *           "embargoDate": null,
                     *           "publishedAt": "2026-11-03T09:00:00.000Z",
                     *           "changedAt": "2026-11-03T09:00:02.000Z",
                     *           "objects": 24,
                     *           "bytes": 1048576,
                     *           "matchedIn": [
                     *             "title",
                     *             "names"
                     *           ]
                     *         }
                     *       ],
                     *       "facets": [
                     *         {
                     *           "kind": "year",
                     *           "value": "2026",
                     *           "label": "2026",
                     *           "datasets": 1,
                     *           "isEstimated": false
                     *         }
                     *       ],
                     *       "matches": [
                     *         "moisture",
                     *         "soil"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Catalogue"];
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
    getDepositAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The texts, the default one first. */
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
                     *         "language": "en",
                     *         "text": "# Deposit agreement\n",
                     *         "sha256": "0000000000000000000000000000000000000000000000000000000000000000"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DepositAgreement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
            503: components["responses"]["Unavailable"];
        };
    };
    listDois: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Only DOIs of this dataset.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                dataset?: string;
                /**
                 * @description Only DOIs that differ from the archive, or whose comparison is queued or fails.
                 * @example true
                 */
                different?: boolean;
                /**
                 * @description Maximum number of entries per page.
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
            /** @description A page of DOIs. */
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
                     *         "doi": "10.5072/k7m2qx9p",
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "title": "Soil moisture of the wheat trial",
                     *         "version": 1,
                     *         "registeredAt": "2026-06-02T09:00:02.000Z",
                     *         "checkedAt": "2026-06-03T09:00:00.000Z",
                     *         "differences": [],
                     *         "problem": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Doi"][];
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
    checkDois: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A comparison of registered DOIs. */
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DoiCheckRequest"];
            };
        };
        responses: {
            /** @description The comparisons are queued. */
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
                     *       "queued": 12
                     *     }
                     */
                    "application/json": components["schemas"]["DoiCheck"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
    testDoiAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test has run. */
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
                     *       "steps": [
                     *         {
                     *           "step": "credentials",
                     *           "status": "ok",
                     *           "problem": null
                     *         },
                     *         {
                     *           "step": "domain",
                     *           "status": "ok",
                     *           "problem": null
                     *         },
                     *         {
                     *           "step": "prefix",
                     *           "status": "ok",
                     *           "problem": null
                     *         },
                     *         {
                     *           "step": "create_draft",
                     *           "status": "ok",
                     *           "problem": null
                     *         },
                     *         {
                     *           "step": "delete_draft",
                     *           "status": "ok",
                     *           "problem": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountTest"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `doi_off`: This service registers no DOIs. */
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
                 * @description Ticket from the link.
                 * @example xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                 */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, the folder or the package. */
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `embargoed`: The files are under embargo.
             *     - `not_public`: The files are not public.
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
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `dataset_withdrawn`: The dataset has been withdrawn.
             *     - `publication_withdrawn`: The version was withdrawn and is no longer public.
             *     - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    listFieldGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups, in order. */
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
                     *         "name": "plants",
                     *         "title": "Plants",
                     *         "titles": {
                     *           "de": "Pflanzen"
                     *         },
                     *         "descriptions": {},
                     *         "required": false,
                     *         "fields": [
                     *           {
                     *             "name": "organism",
                     *             "title": "Organism",
                     *             "titles": {
                     *               "de": "Organismus"
                     *             },
                     *             "descriptions": {},
                     *             "required": true,
                     *             "variable": false,
                     *             "type": "text",
                     *             "maxLength": 200
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FieldGroup"][];
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
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The probe succeeded. */
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
            /** @description The probe succeeded. */
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
    importMetadataFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Metadata files of a dataset. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "files": [
                 *         {
                 *           "name": "CITATION.cff",
                 *           "content": "Y2ZmLXZlcnNpb246IDEuMi4wCnRpdGxlOiBTb2lsIG1vaXN0dXJlIG9mIDI0IHdoZWF0IHBsb3RzCmxpY2Vuc2U6IENDLUJZLTQuMAprZXl3b3JkczogW3doZWF0LCBpcnJpZ2F0aW9uXQphdXRob3JzOgogIC0ge2dpdmVuLW5hbWVzOiBKb3NpYWgsIGZhbWlseS1uYW1lczogQ2FyYmVycnksIG9yY2lkOiAiaHR0cHM6Ly9vcmNpZC5vcmcvMDAwMC0wMDAyLTE4MjUtMDA5In0K"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MetadataFilesUpload"];
            };
        };
        responses: {
            /** @description The suggested values. */
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
                     *       "values": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry"
                     *           }
                     *         ],
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "sources": {
                     *         "title": "CITATION.cff",
                     *         "authors": "CITATION.cff",
                     *         "subjects": "CITATION.cff",
                     *         "license": "CITATION.cff"
                     *       },
                     *       "files": [
                     *         {
                     *           "key": "CITATION.cff",
                     *           "kind": "cff",
                     *           "bytes": 213,
                     *           "remarks": [
                     *             {
                     *               "place": "line 6",
                     *               "message": "“orcid”: The ORCID iD is not valid. The value is not used."
                     *             }
                     *           ],
                     *           "problem": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetadataSuggestions"];
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
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics in the text format of Prometheus. */
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
                    "application/json": components["schemas"]["ApiDescription"];
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
    listPublications: {
        parameters: {
            query?: {
                /**
                 * @description Only datasets that belong to one of these collections, or whose owners ask for one of them in their last request. Repeat the parameter for several collections.
                 * @example [
                 *       "barley"
                 *     ]
                 */
                collection?: string[];
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only entries of this owner. For curators and admins.
                 * @example josiah
                 */
                owner?: string;
                /**
                 * @description Search text: a part of the title, of the owner’s name or of a DOI, the id of a dataset, or the beginnings of words that all occur in the metadata. Case and diacritics are ignored.
                 * @example moisture
                 */
                q?: string;
                /**
                 * @description `new` (in review without a curator, or assigned to an account that is no longer a curator), `mine` (assigned to the caller), `author` (waiting for the owner’s changes), `approved` (approved, not published), `access` (somebody has asked for access and has no answer) or `failing` (the registration of the DOI, a change of its metadata, or the note of a withdrawal is delayed).
                 * @example new
                 */
                queue?: "new" | "mine" | "author" | "approved" | "access" | "failing";
                /**
                 * @description Sort order: time of the last change of state (`since`) or `title`. A leading `-` reverses the order, so that the newest come first.
                 * @example -since
                 */
                sort?: "since" | "-since" | "title" | "-title";
                /**
                 * @description Only entries in this state.
                 * @example in_review
                 */
                state?: "private" | "in_review" | "changes_requested" | "declined" | "approved" | "registering" | "published" | "withdrawn";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of publications. */
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
                     *         "dataset": "b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *         "version": 1,
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "owner": "josiah",
                     *         "state": "in_review",
                     *         "since": "2026-06-02T09:00:00.000Z",
                     *         "waitingFor": "curator",
                     *         "assignee": null,
                     *         "assigneeIsCurator": null,
                     *         "identifier": null,
                     *         "identifierType": null,
                     *         "access": "open",
                     *         "embargoDate": null,
                     *         "problem": null,
                     *         "isOverdue": false,
                     *         "checks": {
                     *           "errors": 0,
                     *           "warnings": 1
                     *         },
                     *         "comments": {
                     *           "total": 0,
                     *           "resolved": 0
                     *         },
                     *         "lastCommentAt": null,
                     *         "accessRequests": 0,
                     *         "isDelayed": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PublicationListEntry"][];
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
    countQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
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
                     *       "new": 2,
                     *       "mine": 1,
                     *       "author": 0,
                     *       "approved": 0,
                     *       "access": 1,
                     *       "failing": 0,
                     *       "reviewing": 1,
                     *       "own": {
                     *         "author": 0,
                     *         "approved": 0,
                     *         "access": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QueueCounts"];
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
    listReplyTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The templates; empty if the operator has configured none. */
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
                     *         "language": "en",
                     *         "title": "Missing licence",
                     *         "text": "Please choose a licence, such as CC BY 4.0."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ReplyTemplate"][];
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
    getReview: {
        parameters: {
            query?: {
                /**
                 * @description Whether the request belongs to a visit that was counted before, such as for another language of the page. Default: false.
                 * @example true
                 */
                continued?: boolean;
                /**
                 * @description Language of the page. Default: the one that `Accept-Language` prefers.
                 * @example de
                 */
                lang?: "en" | "de";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version, as reviewers see it. */
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
                     *       "page": {
                     *         "heading": "<p class=\"badges\"><span class=\"badge\">Dataset</span> <span class=\"dim small\">Version 1</span></p>",
                     *         "description": "<section aria-labelledby=\"description\"><h2 id=\"description\">Description</h2><div class=\"lines\">Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.</div></section>",
                     *         "further": "",
                     *         "details": "<section class=\"box\" aria-labelledby=\"details\"><h2 id=\"details\">Details</h2><dl><dt>Language of the data</dt><dd>English</dd></dl></section>"
                     *       },
                     *       "anonymous": true,
                     *       "expiresAt": "2026-09-01T08:00:00.000Z",
                     *       "state": "in_review",
                     *       "version": 1,
                     *       "metadata": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "description": "Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.",
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "language": "en",
                     *         "license": {
                     *           "spdx": "CC-BY-4.0",
                     *           "name": "Creative Commons Attribution 4.0 International",
                     *           "url": "https://creativecommons.org/licenses/by/4.0/legalcode"
                     *         }
                     *       },
                     *       "named": null,
                     *       "files": {
                     *         "number": 24,
                     *         "bytes": 2043504,
                     *         "leftOut": 1
                     *       },
                     *       "commitment": {
                     *         "sha512": "4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f",
                     *         "metadataRevision": 1,
                     *         "since": "2026-06-01T08:20:00.000Z"
                     *       },
                     *       "earlierCommitments": []
                     *     }
                     */
                    "application/json": components["schemas"]["Review"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description - `reviewer_link_unknown`: The reviewer link is not valid. */
            401: {
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
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    createReviewDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The content of the download. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "data/measurements/plot-01.csv"
                 *     }
                 */
                "application/json": components["schemas"]["ReviewDownloadRequest"];
            };
        };
        responses: {
            /** @description The download link. */
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
            /** @description - `reviewer_link_unknown`: The reviewer link is not valid. */
            401: {
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
            403: components["responses"]["ForeignOriginOrForeignHost"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    listReviewFiles: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
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
            /** @description A page of files. */
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
                     *         "sha512": "4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ReviewFile"][];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description - `reviewer_link_unknown`: The reviewer link is not valid. */
            401: {
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
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    getReviewFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Returns 412 unless the ETag is equal to this one.
                 * @example *
                 */
                "if-match"?: string;
                /**
                 * @description Returns 304 if the ETag is equal to this one.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-none-match"?: string;
                /**
                 * @description Returns the range only if the ETag is equal to this one; otherwise the whole file.
                 * @example "T40Yw0mXc1dXwFq2k8v1Zg"
                 */
                "if-range"?: string;
                /**
                 * @description Ranges of bytes to return.
                 * @example bytes=0-1023
                 */
                range?: string;
            };
            path: {
                /**
                 * @description Path of the file.
                 * @example data/measurements/plot-01.csv
                 */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested ranges of the file. Several ranges are sent as `multipart/byteranges`. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
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
            /** @description The file has not changed. */
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
            /** @description - `reviewer_link_unknown`: The reviewer link is not valid. */
            401: {
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
            403: components["responses"]["ForeignOriginOrForeignHost"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            /** @description - `precondition_failed`: The file’s ETag differs from the If-Match header. */
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
            /** @description - `range_not_satisfiable`: The requested range is outside the file. */
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
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    getReviewZip: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description - `reviewer_link_unknown`: The reviewer link is not valid. */
            401: {
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
            403: components["responses"]["ForeignOriginOrForeignHost"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `publication_off`: This service does not publish datasets. */
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
             * @description - `reviewer_link_expired`: The reviewer link has expired.
             *     - `reviewer_link_revoked`: The reviewer link was revoked.
             *     - `reviewed_withdrawn`: The dataset was withdrawn.
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
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description - `internal_error`: An internal error occurred.
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
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `archive_unreadable`: The service cannot read the archive.
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
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service information. */
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
                     *       "commit": "8c027db3c1a4f1f6d2b7a9b0e5d3c8f7a6b5c4d3",
                     *       "publisher": "Accession",
                     *       "links": {
                     *         "en": [
                     *           {
                     *             "text": "Imprint",
                     *             "url": "https://example.org/imprint"
                     *           }
                     *         ],
                     *         "de": [
                     *           {
                     *             "text": "Impressum",
                     *             "url": "https://example.org/impressum"
                     *           }
                     *         ]
                     *       },
                     *       "sendsMail": false,
                     *       "publication": "review",
                     *       "registersDois": true,
                     *       "signIn": {
                     *         "method": "oidc",
                     *         "provider": {
                     *           "issuer": "https://id.example.org/realms/lab",
                     *           "clientId": "accession-page",
                     *           "scope": "openid profile email",
                     *           "resource": null
                     *         }
                     *       },
                     *       "acceptsUploads": true,
                     *       "listingTimeout": 120,
                     *       "fieldGroups": [
                     *         "plants"
                     *       ],
                     *       "vocabularies": [
                     *         "organisations",
                     *         "subjects"
                     *       ]
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
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only entries of this owner. For curators and admins.
                 * @example josiah
                 */
                owner?: string;
                /**
                 * @description Search text: a part of the title, or the beginnings of words that all occur in the title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics are ignored.
                 * @example moisture
                 */
                q?: string;
                /**
                 * @description Sort order: time of acceptance (`created`), time of the last change (`updated`), `title`, `bytes` or `objects`. A leading `-` reverses the order, so that the newest or largest come first.
                 * @example -bytes
                 */
                sort?: "created" | "-created" | "updated" | "-updated" | "title" | "-title" | "bytes" | "-bytes" | "objects" | "-objects";
                /**
                 * @description Only submissions with this status.
                 * @example completed
                 */
                status?: "accepted" | "listing" | "transferring" | "verifying" | "packaging" | "completed" | "waiting" | "failed" | "cancelled";
                /**
                 * @description Only entries that changed after this time (ISO 8601 with a time zone).
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
            /** @description A page of submissions. */
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
                     *         "statement": "Every selected object was stored and verified against the source's own digests. Only a part of the bucket was selected (keys that begin with “measurements/” and do not match “**\/.*”). No other objects were read. Only current object versions were read, and this archive holds one copy.",
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
            /** @description The submission. */
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
                     *       "identifier": "urn:uuid:b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02",
                     *       "identifierType": "URN",
                     *       "reservedDoi": null,
                     *       "digests": null,
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
                     *       "statement": "Every selected object was stored and verified against the source's own digests. Only a part of the bucket was selected (keys that begin with “measurements/” and do not match “**\/.*”). No other objects were read. Only current object versions were read, and this archive holds one copy.",
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
            /** @description The submission is cancelled. */
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
             * @description - `wrong_state`: The current status of the submission does not allow this.
             *     - `too_late`: The submission can no longer be changed.
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
        /** @description Credentials with which the submission continues. */
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
            /** @description The credentials were replaced. A submission that waited for them continues. */
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
             * @description - `wrong_state`: The current status of the submission does not allow this.
             *     - `too_late`: The submission can no longer be changed.
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
             * @description - `invalid_request`: The request contains errors.
             *     - `credentials_required`: The credentials for the bucket are required.
             *     - `source_check_failed`: The check of the bucket failed.
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
                 * @description Only events with a larger number.
                 * @example 1
                 */
                after?: number;
                /**
                 * @description Maximum number of events in the response. A stream has no limit.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description For a stream: the number of the last event that was received.
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
            /** @description The events, in order. */
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
                     *         "message": "Listing completed: 24 objects, 1.9 MiB",
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
                     *     data: {"id":2,"at":"2026-11-02T08:30:00.400Z","attempt":1,"type":"listed","message":"Listing completed: 24 objects, 1.9 MiB","data":{"objects":24,"bytes":2043512}}
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
        /** @description The objects to exclude, and the reason. */
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
            /** @description The objects are excluded. */
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
            /** @description - `wrong_state`: The current status of the submission does not allow this. */
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
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Position in the listing to start at, counted from 0. Ignored if `cursor` is given.
                 * @example 0
                 */
                from?: number;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only files whose path starts with this text.
                 * @example data/measurements/
                 */
                prefix?: string;
                /**
                 * @description Only files in this state.
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
            /** @description A page of files. */
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
    listMissingFiles: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
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
            /** @description A page of files. */
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
                     *         "key": "measurements/run-8.csv",
                     *         "digests": {
                     *           "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MissingFile"][];
                    /**
                     * @example key,algorithm,digest
                     *     measurements/run-8.csv,sha256,ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
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
            /** @description - `wrong_state`: The current status of the submission does not allow this. */
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
        /** @description Credentials with which the submission continues. */
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
            /** @description The submission after the retry. */
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `quota_exceeded`: Your quota would be exceeded.
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
             * @description - `wrong_state`: The current status of the submission does not allow this.
             *     - `too_late`: The submission can no longer be changed.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
             *     - `dataset_moved_on`: Another version of the dataset was archived in the meantime.
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
             * @description - `retry_expired`: The submission can no longer be retried.
             *     - `dataset_withdrawn`: The dataset has been withdrawn.
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
             * @description - `invalid_request`: The request contains errors.
             *     - `credentials_required`: The credentials for the bucket are required.
             *     - `source_check_failed`: The check of the bucket failed.
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
                 * @description Complete title, as in the metadata.
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
            /** @description A submission with this title exists that has not failed and was not cancelled. */
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
            /** @description No such submission exists. */
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
    submitDatasetFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The dataset whose files were sent. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Soil moisture of 24 wheat plots"
                 *     }
                 */
                "application/json": components["schemas"]["TitleToPublish"];
            };
        };
        responses: {
            /** @description The submission was accepted, or an earlier request created it. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `quota_exceeded`: Your quota would be exceeded.
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
             * @description - `upload_arriving`: Files are still arriving.
             *     - `upload_incomplete`: Files of the upload are not complete.
             *     - `too_many_uploads`: You have too many uploads.
             *     - `upload_metadata_differ`: Files of the upload were sent with different metadata.
             *     - `upload_empty`: The upload has no files.
             *     - `upload_changed`: The upload has other files than when you last saw it.
             *     - `upload_submitted`: The upload belongs to a submission and cannot be changed.
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    uploadDatasetFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A file with the metadata of its dataset. The parts may have any order. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "test",
                 *       "metaData": "{\"title\":\"Soil moisture of 24 wheat plots\",\"description\":\"Hourly soil moisture, air temperature and leaf area index of 24 wheat plots under two irrigation regimes.\",\"authors\":[{\"role\":\"Creator\",\"firstName\":\"Josiah\",\"lastName\":\"Carberry\",\"orcid\":\"0000-0002-1825-0097\"}],\"language\":\"en\",\"subjects\":[\"wheat\",\"irrigation\"],\"license\":\"CC-BY-4.0\"}",
                 *       "path": "Soil moisture of 24 wheat plots/plots"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["TitledFileForm"];
            };
        };
        responses: {
            /** @description The file has arrived. */
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
                     *       "upload": "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60",
                     *       "path": "plots/2025.csv",
                     *       "bytes": 4,
                     *       "sha512": "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff"
                     *     }
                     */
                    "application/json": components["schemas"]["TitledFile"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrMalformedMultipart"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            /**
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `quota_exceeded`: Your quota would be exceeded.
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
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `too_many_uploads`: You have too many uploads.
             *     - `upload_too_many_files`: The upload has 1,000,000 files, and cannot have more.
             *     - `upload_changed`: The upload has other files than when you last saw it.
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
            /**
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unwritable`: The service cannot write to the archive.
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
            /** @description - `no_space`: The archive does not have enough free space. */
            507: {
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
    };
    test_connection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The location of the bucket and the credentials to read it. */
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
            /** @description The service can read the bucket. */
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
             * @description The service cannot read the bucket. The sentence states the cause and how to fix it.
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
                    /** @example Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the spelling of the bucket and the endpoint, or ask the storage provider. */
                    "application/json": string;
                    /** @example Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the spelling of the bucket and the endpoint, or ask the storage provider. */
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
        /** @description The location of the bucket and the credentials to read it. */
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
            /** @description The report. */
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
    importBucketMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The location of the bucket and the credentials to read it. */
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
            /** @description The suggested values. */
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
                     *       "values": {
                     *         "title": "Soil moisture of 24 wheat plots",
                     *         "authors": [
                     *           {
                     *             "role": "Creator",
                     *             "firstName": "Josiah",
                     *             "lastName": "Carberry"
                     *           }
                     *         ],
                     *         "subjects": [
                     *           "wheat",
                     *           "irrigation"
                     *         ],
                     *         "license": "CC-BY-4.0"
                     *       },
                     *       "sources": {
                     *         "title": "measurements/CITATION.cff",
                     *         "authors": "measurements/CITATION.cff",
                     *         "subjects": "measurements/CITATION.cff",
                     *         "license": "measurements/CITATION.cff"
                     *       },
                     *       "files": [
                     *         {
                     *           "key": "measurements/CITATION.cff",
                     *           "kind": "cff",
                     *           "bytes": 213,
                     *           "remarks": [
                     *             {
                     *               "place": "line 6",
                     *               "message": "“orcid”: The ORCID iD is not valid. The value is not used."
                     *             }
                     *           ],
                     *           "problem": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetadataSuggestions"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `invalid_request`: The request contains errors.
             *     - `source_timeout`: The check of the bucket took too long.
             *     - `address_unresolvable`: The endpoint’s host name does not exist.
             *     - `name_lookup_failed`: The DNS lookup of the endpoint failed.
             *     - `address_refused`: The service may not connect to the endpoint’s address.
             *     - `connection_refused`: The storage server refuses connections.
             *     - `connection_timeout`: The storage server does not answer.
             *     - `connection_reset`: The connection was interrupted.
             *     - `network_unreachable`: There is no network route to the storage server.
             *     - `tls_untrusted`: The certificate of the storage server is not trusted.
             *     - `tls_expired`: The certificate of the storage server has expired.
             *     - `tls_wrong_host`: The certificate of the storage server is for a different name.
             *     - `tls_not_spoken`: The storage server does not use TLS (https) on this port.
             *     - `tls_expected`: The storage server requires TLS (https) on this port.
             *     - `not_s3`: The server at the endpoint is not an S3 server.
             *     - `redirected`: The server redirects requests to a different address.
             *     - `wrong_region`: The bucket is in a different region.
             *     - `clock_skewed`: The clocks of the service and the storage differ too much.
             *     - `access_key_unknown`: The server does not know this access key.
             *     - `secret_key_wrong`: The secret key does not match the access key.
             *     - `credentials_expired`: The credentials have expired or have been suspended.
             *     - `account_suspended`: The account of the bucket is suspended or has a problem.
             *     - `usage_limit_reached`: The account of the bucket has reached a limit for downloads or requests.
             *     - `anonymous_denied`: The bucket does not allow anonymous access.
             *     - `bucket_missing`: The bucket does not exist on this server.
             *     - `requester_pays_required`: The requester must pay for this bucket.
             *     - `list_denied`: These credentials do not permit listing the bucket.
             *     - `read_denied`: These credentials do not permit reading the objects in the bucket.
             *     - `key_denied`: These credentials do not permit the use of the KMS key with which the objects are encrypted.
             *     - `roles_off`: This service cannot assume roles.
             *     - `role_denied`: The service may not assume the role.
             *     - `role_unprotected`: The role does not require your external id.
             *     - `sts_refused`: The token service (STS) refuses the keys of this service.
             *     - `sts_unavailable`: The token service (STS) does not issue keys.
             *     - `slow_down`: The server asks for a lower request rate.
             *     - `source_error`: The server reports an internal error.
             *     - `source_refused`: The server refuses the request.
             *     - `credentials_rejected`: The server no longer accepts the credentials.
             *     - `source_unreachable`: The data source cannot be reached.
             *     - `source_changed`: The bucket is no longer available at its endpoint.
             *     - `source_blocked`: The service cannot reach the data source.
             *     - `listing_invalid`: The server’s listing is contradictory or incomplete.
             *     - `key_too_long`: The key of an object is longer than S3 allows.
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
    preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bucket to preview, and the dataset to which it would add a version. */
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
            /** @description The preview. */
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
                     *       "metadataFiles": [
                     *         {
                     *           "key": "measurements/CITATION.cff",
                     *           "kind": "cff",
                     *           "bytes": 412
                     *         }
                     *       ],
                     *       "unreadableStorageClasses": [],
                     *       "renamed": [],
                     *       "renamedTotal": 0,
                     *       "unpacking": {
                     *         "files": 0,
                     *         "named": [],
                     *         "examined": 24
                     *       },
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
             * @description - `invalid_request`: The request contains errors.
             *     - `source_timeout`: The check of the bucket took too long.
             *     - `address_unresolvable`: The endpoint’s host name does not exist.
             *     - `name_lookup_failed`: The DNS lookup of the endpoint failed.
             *     - `address_refused`: The service may not connect to the endpoint’s address.
             *     - `connection_refused`: The storage server refuses connections.
             *     - `connection_timeout`: The storage server does not answer.
             *     - `connection_reset`: The connection was interrupted.
             *     - `network_unreachable`: There is no network route to the storage server.
             *     - `tls_untrusted`: The certificate of the storage server is not trusted.
             *     - `tls_expired`: The certificate of the storage server has expired.
             *     - `tls_wrong_host`: The certificate of the storage server is for a different name.
             *     - `tls_not_spoken`: The storage server does not use TLS (https) on this port.
             *     - `tls_expected`: The storage server requires TLS (https) on this port.
             *     - `not_s3`: The server at the endpoint is not an S3 server.
             *     - `redirected`: The server redirects requests to a different address.
             *     - `wrong_region`: The bucket is in a different region.
             *     - `clock_skewed`: The clocks of the service and the storage differ too much.
             *     - `access_key_unknown`: The server does not know this access key.
             *     - `secret_key_wrong`: The secret key does not match the access key.
             *     - `credentials_expired`: The credentials have expired or have been suspended.
             *     - `account_suspended`: The account of the bucket is suspended or has a problem.
             *     - `usage_limit_reached`: The account of the bucket has reached a limit for downloads or requests.
             *     - `anonymous_denied`: The bucket does not allow anonymous access.
             *     - `bucket_missing`: The bucket does not exist on this server.
             *     - `requester_pays_required`: The requester must pay for this bucket.
             *     - `list_denied`: These credentials do not permit listing the bucket.
             *     - `read_denied`: These credentials do not permit reading the objects in the bucket.
             *     - `key_denied`: These credentials do not permit the use of the KMS key with which the objects are encrypted.
             *     - `roles_off`: This service cannot assume roles.
             *     - `role_denied`: The service may not assume the role.
             *     - `role_unprotected`: The role does not require your external id.
             *     - `sts_refused`: The token service (STS) refuses the keys of this service.
             *     - `sts_unavailable`: The token service (STS) does not issue keys.
             *     - `slow_down`: The server asks for a lower request rate.
             *     - `source_error`: The server reports an internal error.
             *     - `source_refused`: The server refuses the request.
             *     - `credentials_rejected`: The server no longer accepts the credentials.
             *     - `source_unreachable`: The data source cannot be reached.
             *     - `source_changed`: The bucket is no longer available at its endpoint.
             *     - `source_blocked`: The service cannot reach the data source.
             *     - `listing_invalid`: The server’s listing is contradictory or incomplete.
             *     - `key_too_long`: The key of an object is longer than S3 allows.
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
                 * @description `true` to create a new submission even if an identical request was accepted before.
                 * @example true
                 */
                "accession-repeat"?: "true" | "false";
                /**
                 * @description Unique key of the request. For 30 days, a request with the same key and content returns the same submission.
                 * @example experiment-2026-11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A request to archive a bucket. */
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
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
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
                     *       "identifier": null,
                     *       "identifierType": null,
                     *       "reservedDoi": null,
                     *       "digests": null,
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
             * @description - `foreign_origin`: Web pages from this origin may not call the service.
             *     - `foreign_host`: The service does not accept the host name in the request.
             *     - `forbidden`: Your account does not have this permission.
             *     - `quota_exceeded`: Your quota would be exceeded.
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
             * @description - `idempotency_conflict`: The Idempotency-Key was already used for a different request.
             *     - `doi_off`: This service registers no DOIs.
             *     - `dataset_busy`: Another submission or metadata change of this dataset is in progress.
             *     - `archive_newer`: The archive has a newer state of the dataset than the database.
             *     - `upload_submitted`: The upload belongs to a submission and cannot be changed.
             *     - `upload_empty`: The upload has no files.
             *     - `upload_incomplete`: Files of the upload are not complete.
             *     - `upload_changed`: The upload has other files than when you last saw it.
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
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
             * @description - `invalid_request`: The request contains errors.
             *     - `source_check_failed`: The check of the bucket failed.
             *     - `source_timeout`: The check of the bucket took too long.
             *     - `source_empty`: There are no objects to archive.
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    validate: {
        parameters: {
            query?: {
                /**
                 * @description Id of an archived dataset whose metadata would be changed. Values of its additional fields (`fields`) stay valid while they are unchanged.
                 * @example b0d7c5a8-3f0e-4c43-8a55-6d2b9e7f1a02
                 */
                dataset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The description of the dataset and its authors; at most 4 MiB as compact JSON in UTF-8. */
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
            /** @description The result of the validation. */
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
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `dataset_withdrawn`: The dataset has been withdrawn. */
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
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
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
            /** @description - `no_tokens_here`: This service does not issue access tokens. */
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
        /** @description The token to create. */
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
            /** @description The token with its secret text. */
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
            /** @description - `no_tokens_here`: This service does not issue access tokens. */
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
            /** @description The token is revoked. */
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
            /** @description - `last_admin`: The token is the last token with the role admin. */
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
            /** @description - `no_tokens_here`: This service does not issue access tokens. */
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
    listUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploads. */
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
                     *         "id": "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60",
                     *         "files": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files",
                     *         "batch": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/batch",
                     *         "fileCount": 2,
                     *         "bytes": 5242896,
                     *         "receivedBytes": 1048592,
                     *         "incompleteFiles": 1,
                     *         "parts": {
                     *           "count": 0,
                     *           "bytes": 0
                     *         },
                     *         "revision": 3,
                     *         "submission": null,
                     *         "createdAt": "2026-11-03T09:00:00.000Z",
                     *         "expiresAt": "2026-11-17T09:12:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Upload"][];
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who is told before the upload expires. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "notify": {
                 *         "email": "ada@example.org"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UploadWish"];
            };
        };
        responses: {
            /** @description The upload was created. */
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
                     *       "id": "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60",
                     *       "files": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files",
                     *       "batch": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/batch",
                     *       "fileCount": 0,
                     *       "bytes": 0,
                     *       "receivedBytes": 0,
                     *       "incompleteFiles": 0,
                     *       "parts": {
                     *         "count": 0,
                     *         "bytes": 0
                     *       },
                     *       "revision": 0,
                     *       "submission": null,
                     *       "createdAt": "2026-11-03T09:00:00.000Z",
                     *       "expiresAt": "2026-11-17T09:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJson"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `too_many_uploads`: You have too many uploads. */
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
            /**
             * @description - `unavailable`: The service is starting, is stopping or cannot reach its database.
             *     - `identity_unavailable`: The identity provider cannot be reached.
             *     - `archive_unwritable`: The service cannot write to the archive.
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
            /** @description - `no_space`: The archive does not have enough free space. */
            507: {
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
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload. */
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
                     *       "id": "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60",
                     *       "files": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files",
                     *       "batch": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/batch",
                     *       "fileCount": 2,
                     *       "bytes": 5242896,
                     *       "receivedBytes": 1048592,
                     *       "incompleteFiles": 1,
                     *       "parts": {
                     *         "count": 0,
                     *         "bytes": 0
                     *       },
                     *       "revision": 3,
                     *       "submission": null,
                     *       "createdAt": "2026-11-03T09:00:00.000Z",
                     *       "expiresAt": "2026-11-17T09:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload was deleted. */
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
            /** @description - `upload_submitted`: The upload belongs to a submission and cannot be changed. */
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    updateUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Who is told before the upload expires. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "notify": {
                 *         "email": "ada@example.org"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UploadWish"];
            };
        };
        responses: {
            /** @description The upload. */
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
                     *       "id": "5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60",
                     *       "files": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files",
                     *       "batch": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/batch",
                     *       "fileCount": 2,
                     *       "bytes": 5242896,
                     *       "receivedBytes": 1048592,
                     *       "incompleteFiles": 1,
                     *       "parts": {
                     *         "count": 0,
                     *         "bytes": 0
                     *       },
                     *       "revision": 3,
                     *       "submission": null,
                     *       "createdAt": "2026-11-03T09:00:00.000Z",
                     *       "expiresAt": "2026-11-17T09:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    sendUploadBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Small files: for each of at most 10,000, the parts `path`, `sha512` if it is known, and `file`, in this order. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "plots/2025.csv",
                 *       "sha512": "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff",
                 *       "file": "test"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadBatch"];
            };
        };
        responses: {
            /** @description A line of JSON for each file: `path`, `bytes` and `sha512`, or `path` and `problem`. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"path":"plots/2025.csv","bytes":4,"sha512":"ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff"} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrMalformedMultipart"];
            401: components["responses"]["UnauthenticatedOrTokenInvalid"];
            403: components["responses"]["ForeignOriginOrForeignHostOrForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description - `upload_submitted`: The upload belongs to a submission and cannot be changed. */
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    listUploadFiles: {
        parameters: {
            query?: {
                /**
                 * @description Path after which the page begins.
                 * @example plots/2025.csv
                 */
                after?: string;
                /**
                 * @description Maximum number of files.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Whether to list the parts that were not joined, and no files.
                 * @example true
                 */
                parts?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some files. */
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
                     *       "files": [
                     *         {
                     *           "path": "plots/2025.csv",
                     *           "bytes": 16,
                     *           "receivedBytes": 16,
                     *           "sha512": "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff",
                     *           "digestMismatch": false,
                     *           "completedAt": "2026-11-03T09:10:00.000Z",
                     *           "url": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files/1"
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["UploadFiles"];
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    getUploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload.
                 * @example 5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60
                 */
                id: string;
                /**
                 * @description Number of the file in the upload.
                 * @example 1
                 */
                no: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Upload-Length": components["headers"]["Upload-Length"];
                    "Upload-Offset": components["headers"]["Upload-Offset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "plots/2025.csv",
                     *       "bytes": 16,
                     *       "receivedBytes": 16,
                     *       "sha512": "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff",
                     *       "digestMismatch": false,
                     *       "completedAt": "2026-11-03T09:10:00.000Z",
                     *       "url": "/uploads/5f0c2a7e-9d1b-4c7a-8e34-1b2c3d4e5f60/files/1"
                     *     }
                     */
                    "application/json": components["schemas"]["UploadFile"];
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
            /** @description - `uploads_off`: This service does not accept uploads. */
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
    getUsage: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description First month, `YYYY-MM` in UTC. Default: eleven months before the last one.
                 * @example 2026-01
                 */
                from?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Last month, `YYYY-MM` in UTC. Default: the present month.
                 * @example 2026-01
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage statistics, with a page of datasets. */
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
                     * @example {
                     *       "from": "2025-12",
                     *       "until": "2026-11",
                     *       "total": {
                     *         "regular": {
                     *           "totalInvestigations": 412,
                     *           "uniqueInvestigations": 187,
                     *           "totalRequests": 96,
                     *           "uniqueRequests": 41
                     *         },
                     *         "machine": {
                     *           "totalInvestigations": 35,
                     *           "uniqueInvestigations": 6,
                     *           "totalRequests": 30,
                     *           "uniqueRequests": 5
                     *         }
                     *       },
                     *       "months": [
                     *         {
                     *           "month": "2026-11",
                     *           "regular": {
                     *             "totalInvestigations": 412,
                     *             "uniqueInvestigations": 187,
                     *             "totalRequests": 96,
                     *             "uniqueRequests": 41
                     *           },
                     *           "machine": {
                     *             "totalInvestigations": 35,
                     *             "uniqueInvestigations": 6,
                     *             "totalRequests": 30,
                     *             "uniqueRequests": 5
                     *           }
                     *         }
                     *       ],
                     *       "datasets": [
                     *         {
                     *           "id": "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "url": "https://archive.example.org/dataset/0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
                     *           "title": "Soil moisture of 24 wheat plots",
                     *           "regular": {
                     *             "totalInvestigations": 412,
                     *             "uniqueInvestigations": 187,
                     *             "totalRequests": 96,
                     *             "uniqueRequests": 41
                     *           },
                     *           "machine": {
                     *             "totalInvestigations": 35,
                     *             "uniqueInvestigations": 6,
                     *             "totalRequests": 30,
                     *             "uniqueRequests": 5
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueUsage"];
                    /**
                     * @example Dataset,Title,Month,Access_Method,Total_Dataset_Investigations,Unique_Dataset_Investigations,Total_Dataset_Requests,Unique_Dataset_Requests
                     *     0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11,Soil moisture of 24 wheat plots,2026-11,Regular,412,187,96,41
                     *     0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11,Soil moisture of 24 wheat plots,2026-11,Machine,35,6,30,5
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["ForeignOriginOrForeignHost"];
            404: components["responses"]["NotFound"];
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
    searchVocabulary: {
        parameters: {
            query: {
                /**
                 * @description Maximum number of results.
                 * @example 10
                 */
                limit?: number;
                /**
                 * @description Beginning of a name, or words.
                 * @example barley res
                 */
                q: string;
            };
            header?: never;
            path: {
                /**
                 * @description What the entries of the vocabularies describe.
                 * @example organisations
                 */
                kind: "organisations" | "funders" | "subjects";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The best matches. */
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
                     *         "id": "https://ror.org/05gq02987",
                     *         "name": "Institute for Barley Research",
                     *         "detail": "Gatersleben, Germany",
                     *         "acronyms": [
                     *           "IBR"
                     *         ],
                     *         "alternativeNames": [
                     *           "Institut für Gerstenforschung"
                     *         ],
                     *         "language": "en",
                     *         "scheme": "ROR",
                     *         "schemeUri": "https://ror.org",
                     *         "notation": null,
                     *         "vocabulary": "ror"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["VocabularyResult"][];
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
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
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
            /** @description A page of webhooks. */
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
        /** @description The webhook to register. */
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
            /** @description The webhook with its secret, which is returned only once. */
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
            /** @description - `too_many_webhooks`: The webhook limit has been reached. */
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
            /** @description The webhook. */
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
            /** @description The webhook is deleted. */
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
                /** @description Cursor from the `Link` header of the previous page. */
                cursor?: string;
                /**
                 * @description Maximum number of entries per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only deliveries with this status.
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
            /** @description A page of deliveries. */
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
            /** @description The delivery, which is pending again. */
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
            /** @description The enabled webhook. */
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
            /** @description The webhook with its new secret, which is returned only once. */
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
            /** @description The test delivery. */
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
                 * @description Id of the delivery, the same for every attempt.
                 * @example 5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24
                 */
                "webhook-id": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces. Each key signs once: `v1,` is HMAC-SHA-256, `v1a,` is Ed25519.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhq
                 */
                "webhook-signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970 (Unix time).
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
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint no longer exists. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried. `Retry-After` is respected, up to an hour. */
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
                 * @description Id of the delivery, the same for every attempt.
                 * @example 5b8f5b0a-3c0e-4d67-9c41-6f0f1f6f7d24
                 */
                "webhook-id": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces. Each key signs once: `v1,` is HMAC-SHA-256, `v1a,` is Ed25519.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhq
                 */
                "webhook-signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970 (Unix time).
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
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint no longer exists. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is not retried. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
