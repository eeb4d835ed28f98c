import type { Reply } from "./reply.ts";

/** A response in S3's error format. Handlers throw it; the server converts it to XML. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "S3Error";
    this.status = status;
    this.code = code;
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }
}

/** 403 AccessDenied, by default with S3's message. */
export const accessDenied = (message = "Access Denied"): S3Error => new S3Error(403, "AccessDenied", message);

/** 404 NoSuchBucket. */
export const noSuchBucket = (bucket: string): S3Error =>
  new S3Error(404, "NoSuchBucket", "The specified bucket does not exist", { fields: { BucketName: bucket } });

/** 400 InvalidArgument about one named argument. */
export const invalidArgument = (name: string, value: string): S3Error =>
  new S3Error(400, "InvalidArgument", `Invalid ${name}`, { fields: { ArgumentName: name, ArgumentValue: value } });

/** 400 InvalidRequest. */
export const invalidRequest = (message: string): S3Error => new S3Error(400, "InvalidRequest", message);

/** Renders an error like S3: Code, Message, further fields of the code, Resource, RequestId. */
export function errorReply(error: S3Error, resource: string, requestId: string): Reply {
  const elements = { Code: error.code, Message: error.message, ...error.fields, Resource: resource };
  let xml = "<Error>";
  for (const [name, value] of Object.entries(elements)) xml += `<${name}>${escapeXml(value)}</${name}>`;
  xml += `<RequestId>${requestId}</RequestId></Error>`;
  return replyWith(xml, error.status, error.headers);
}

/** A response with an XML document whose root element is in the namespace of S3. */
export function xmlReply(root: string, content: string): Reply {
  return replyWith(`<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`);
}

function replyWith(xml: string, status = 200, headers: Record<string, string> = {}): Reply {
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
  return { status, headers: { "content-type": "application/xml", ...headers }, body };
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for XML. Control characters become references, because a raw CR would be read as LF. */
export function escapeXml(text: string): string {
  if (!/[&<>"\x00-\x1f\x7f]/.test(text)) return text;
  return text.replace(/[&<>"\x00-\x1f\x7f]/g, (c) => escapes[c] ?? `&#x${c.charCodeAt(0).toString(16)};`);
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reverses {@link escapeXml}. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16));
  });
}
