import type { IncomingMessage, ServerResponse } from "node:http";
import { actBefore, changeReply, type Fault, replacement, responseFaultOf } from "../faults/faults.ts";
import { answer, type Service } from "../operations/dispatch.ts";
import { type Operation, operationOf } from "../operations/operations.ts";
import { errorReply, S3Error } from "./errors.ts";
import { recordOf } from "./history.ts";
import { isVirtualHosted, parseRequest, type RawRequest, refusePathStyle } from "./raw-request.ts";
import { type Reply, sendReply } from "./reply.ts";

/**
 * Processes one request from its first byte to the last of its response, including faults. Rejects only if a fault's
 * callback throws.
 */
export async function exchange(
  service: Service,
  incoming: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const request = parse(service, incoming);
  if (request instanceof S3Error) return send(service, incoming, response, requestId, failed(request, "", requestId));
  const operation = operationOf(request);
  const record = recordOf(request, operation);
  service.record(record);
  const fault = service.faults.find(request, operation);
  if (fault !== undefined && !(await actBefore(fault, response, service.stopped))) return;
  const reply =
    (fault && replacement(fault, request.path, requestId)) ??
    (await realReply(service, incoming, request, operation, requestId));
  if (response.destroyed) return;
  if (fault !== undefined) changeReply(fault, reply);
  record.status = reply.status;
  await send(service, incoming, response, requestId, reply, fault);
}

function parse(service: Service, incoming: IncomingMessage): RawRequest | S3Error {
  const { addressing, domains } = service;
  try {
    const { method = "GET", url = "/", headers } = incoming;
    const request = parseRequest(method, url, headers, addressing, domains);
    const byPath = addressing === "virtual" && request.bucket !== "" && !isVirtualHosted(request, domains);
    return byPath ? refusePathStyle() : request;
  } catch (error) {
    if (error instanceof S3Error) return error;
    throw error;
  }
}

async function realReply(
  service: Service,
  incoming: IncomingMessage,
  request: RawRequest,
  operation: Operation,
  requestId: string,
): Promise<Reply> {
  const reply = await answer(service, incoming, request, operation).catch((error: unknown) =>
    failed(error, request.path, requestId),
  );
  const bucket = request.key === "" || reply.status >= 300 ? service.store.buckets.get(request.bucket) : undefined;
  if (bucket !== undefined) reply.headers["x-amz-bucket-region"] = bucket.region;
  return reply;
}

function failed(error: unknown, resource: string, requestId: string): Reply {
  if (error instanceof S3Error) return errorReply(error, resource, requestId);
  // A bug of this server: the response shows the test where it occurred.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return errorReply(new S3Error(500, "InternalError", text), resource, requestId);
}

async function send(
  service: Service,
  incoming: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  reply: Reply,
  fault?: Fault,
): Promise<void> {
  response.sendDate = false;
  reply.headers.date ??= service.store.now().toUTCString();
  reply.headers["x-amz-request-id"] ??= requestId;
  await sendReply(response, reply, fault && responseFaultOf(fault, reply), incoming.method === "HEAD", service.stopped);
}
