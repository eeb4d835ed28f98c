import { baseServer, type HttpOptions } from "./base-server.ts";
import type { HttpContext, ProbeContext } from "./context.ts";
import type { Server } from "./fastify.ts";
import { serveDescription } from "./openapi/serve.ts";
import { servePage } from "./page/serve.ts";
import { mailGet, mailPut } from "./routes/account/mail.ts";
import { apiDescription } from "./routes/api-description.ts";
import { caller } from "./routes/caller.ts";
import { catalogueDatasets } from "./routes/catalogue/datasets.ts";
import { dcatCatalogue } from "./routes/catalogue/dcat-catalogue.ts";
import { feed } from "./routes/catalogue/feed.ts";
import { oai } from "./routes/catalogue/oai.ts";
import { openSearch } from "./routes/catalogue/open-search.ts";
import { robots } from "./routes/catalogue/robots.ts";
import { sitemap } from "./routes/catalogue/sitemap.ts";
import { catalogueUsage } from "./routes/catalogue/usage.ts";
import { collectionDatasets } from "./routes/collection/datasets.ts";
import { collectionDelete } from "./routes/collection/delete.ts";
import { collectionGet } from "./routes/collection/get.ts";
import { collectionList } from "./routes/collection/list.ts";
import { collectionAdd, collectionRemove } from "./routes/collection/members.ts";
import { collectionPut } from "./routes/collection/put.ts";
import { datasetDownloadLink } from "./routes/dataset/download-link.ts";
import { datasetExport } from "./routes/dataset/export.ts";
import { datasetFile } from "./routes/dataset/file.ts";
import { datasetFiles } from "./routes/dataset/files.ts";
import { datasetFilesPart } from "./routes/dataset/files-part.ts";
import { datasetGet } from "./routes/dataset/get.ts";
import { datasetLinkset } from "./routes/dataset/linkset.ts";
import { datasetList } from "./routes/dataset/list.ts";
import { datasetMetadata, datasetMetadataChange, datasetRevisions } from "./routes/dataset/metadata.ts";
import { datasetPublicationRecord } from "./routes/dataset/publication-record.ts";
import { datasetUnpacking } from "./routes/dataset/unpacking.ts";
import { datasetUsage } from "./routes/dataset/usage.ts";
import { datasetVersions } from "./routes/dataset/versions.ts";
import { datasetWithdraw } from "./routes/dataset/withdraw.ts";
import { download } from "./routes/download.ts";
import { datasetFieldGroups, fieldGroups } from "./routes/field-groups.ts";
import { healthLive, healthReady } from "./routes/health.ts";
import { metrics } from "./routes/metrics.ts";
import { accessRequestGrant, accessRequestRefuse } from "./routes/publication/access-answers.ts";
import { accessGrant, accessGrantList, accessGrantUses, accessRevoke } from "./routes/publication/access-grants.ts";
import { accessRequest, accessRequestList } from "./routes/publication/access-requests.ts";
import { publicationActions } from "./routes/publication/actions.ts";
import { depositAgreement } from "./routes/publication/agreement.ts";
import { curatorList, curatorRemove } from "./routes/publication/curators.ts";
import { doiTest } from "./routes/publication/doi-test.ts";
import { doiCheck, doiList } from "./routes/publication/dois.ts";
import { publicationGet } from "./routes/publication/get.ts";
import { publicationList } from "./routes/publication/list.ts";
import { queueCounts } from "./routes/publication/queues.ts";
import { replyTemplateList } from "./routes/publication/reply-templates.ts";
import { reviewerLinkCreate, reviewerLinkList, reviewerLinkRevoke } from "./routes/publication/reviewer-links.ts";
import { reviewDownloadLink } from "./routes/review/download-link.ts";
import { reviewFile } from "./routes/review/file.ts";
import { reviewFiles } from "./routes/review/files.ts";
import { reviewGet } from "./routes/review/get.ts";
import { reviewZip } from "./routes/review/zip.ts";
import { service } from "./routes/service.ts";
import { submissionCancel } from "./routes/submission/cancel.ts";
import { submissionCredentials } from "./routes/submission/credentials.ts";
import { submissionEvents } from "./routes/submission/events.ts";
import { submissionExclude } from "./routes/submission/exclude.ts";
import { submissionFiles } from "./routes/submission/files.ts";
import { submissionGet } from "./routes/submission/get.ts";
import { submissionList } from "./routes/submission/list.ts";
import { submissionMissing } from "./routes/submission/missing.ts";
import { submissionReceipt } from "./routes/submission/receipt.ts";
import { submissionRetry } from "./routes/submission/retry.ts";
import { datasetFileUpload } from "./routes/submitting/dataset-file.ts";
import { exists } from "./routes/submitting/exists.ts";
import { metadataImport } from "./routes/submitting/metadata-import.ts";
import { titlePublish } from "./routes/submitting/publish.ts";
import { s3check } from "./routes/submitting/s3check.ts";
import { s3checkReport } from "./routes/submitting/s3check-report.ts";
import { s3metadata } from "./routes/submitting/s3metadata.ts";
import { s3preview } from "./routes/submitting/s3preview.ts";
import { s3upload } from "./routes/submitting/s3upload.ts";
import { validate } from "./routes/submitting/validate.ts";
import { tokenCreate } from "./routes/token/create.ts";
import { tokenList } from "./routes/token/list.ts";
import { tokenRevoke } from "./routes/token/revoke.ts";
import {
  uploadCreate,
  uploadDelete,
  uploadFile,
  uploadFiles,
  uploadGet,
  uploadList,
  uploadUpdate,
} from "./routes/upload/areas.ts";
import { uploadBatch } from "./routes/upload/batch.ts";
import { tus } from "./routes/upload/tus.ts";
import { vocabularySearch } from "./routes/vocabulary-search.ts";
import { webhookCreate } from "./routes/webhook/create.ts";
import { webhookDelete } from "./routes/webhook/delete.ts";
import { webhookDeliveries } from "./routes/webhook/deliveries.ts";
import { webhookEnable } from "./routes/webhook/enable.ts";
import { webhookGet } from "./routes/webhook/get.ts";
import { webhookList } from "./routes/webhook/list.ts";
import { webhookReplay } from "./routes/webhook/replay.ts";
import { webhookRotate } from "./routes/webhook/rotate.ts";
import { webhookTest } from "./routes/webhook/test.ts";
import { webhookUpdate } from "./routes/webhook/update.ts";
import { wellKnown } from "./routes/well-known.ts";
import { aboutPages } from "./site/about.ts";
import { siteAssets } from "./site/assets.ts";
import { cataloguePages } from "./site/catalogue.ts";
import { previewPages } from "./site/preview.ts";
import { problemPageFor } from "./site/problem-page.ts";
import { observeUses } from "./usage/observe-uses.ts";

/** All operations of the API. Each is a file in `routes/`. */
const operations = [
  apiDescription,
  s3check,
  s3checkReport,
  s3preview,
  s3metadata,
  metadataImport,
  s3upload,
  datasetFileUpload,
  titlePublish,
  validate,
  exists,
  uploadCreate,
  uploadList,
  uploadGet,
  uploadDelete,
  uploadUpdate,
  uploadBatch,
  uploadFiles,
  uploadFile,
  tus,
  submissionList,
  submissionGet,
  submissionFiles,
  submissionMissing,
  submissionEvents,
  submissionCancel,
  submissionRetry,
  submissionCredentials,
  submissionExclude,
  submissionReceipt,
  catalogueDatasets,
  catalogueUsage,
  dcatCatalogue,
  feed,
  oai,
  openSearch,
  robots,
  sitemap,
  collectionList,
  collectionGet,
  collectionPut,
  collectionDelete,
  collectionDatasets,
  collectionAdd,
  collectionRemove,
  datasetList,
  datasetGet,
  datasetVersions,
  datasetMetadata,
  datasetMetadataChange,
  datasetRevisions,
  datasetFieldGroups,
  datasetFiles,
  datasetFilesPart,
  datasetUnpacking,
  datasetFile,
  datasetExport,
  datasetLinkset,
  datasetPublicationRecord,
  datasetUsage,
  datasetDownloadLink,
  download,
  datasetWithdraw,
  publicationGet,
  publicationList,
  queueCounts,
  curatorList,
  curatorRemove,
  replyTemplateList,
  doiList,
  doiCheck,
  doiTest,
  ...publicationActions,
  depositAgreement,
  accessGrant,
  accessGrantList,
  accessGrantUses,
  accessRevoke,
  accessRequest,
  accessRequestList,
  accessRequestGrant,
  accessRequestRefuse,
  reviewerLinkCreate,
  reviewerLinkList,
  reviewerLinkRevoke,
  reviewGet,
  reviewFiles,
  reviewFile,
  reviewZip,
  reviewDownloadLink,
  tokenCreate,
  tokenList,
  tokenRevoke,
  webhookCreate,
  webhookList,
  webhookGet,
  webhookUpdate,
  webhookTest,
  webhookDelete,
  webhookRotate,
  webhookEnable,
  webhookDeliveries,
  webhookReplay,
  service,
  caller,
  mailGet,
  mailPut,
  vocabularySearch,
  fieldGroups,
  healthLive,
  healthReady,
  metrics,
  wellKnown,
];

/** Builds the server. It does not listen yet. */
export async function buildServer(given: Omit<HttpContext, "limits">, options: HttpOptions): Promise<Server> {
  const { server, limits, addOtherMethods } = await baseServer(given, options, (refused) =>
    problemPageFor(given, refused),
  );
  const context = { ...given, limits };
  observeUses(server, context);
  await serveDescription(server, context);
  await server.register(
    async (scope) => {
      for (const add of operations) add(scope as Server, context);
      cataloguePages(scope as Server, context);
      siteAssets(scope as Server, context);
      aboutPages(scope as Server, context);
      previewPages(scope as Server, context);
      await servePage(scope as Server, context);
    },
    { prefix: context.basePath },
  );
  addOtherMethods();
  return server;
}

/** Builds the server of a process that serves health probes and metrics only. */
export async function buildProbes(context: ProbeContext, options: HttpOptions): Promise<Server> {
  const { server, addOtherMethods } = await baseServer(context, options);
  healthLive(server, context);
  healthReady(server, context);
  metrics(server, context);
  addOtherMethods();
  return server;
}
