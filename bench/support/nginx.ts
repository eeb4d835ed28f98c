import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Workload } from "./cases.ts";
import { start, stop } from "./children.ts";
import { bucketsFolder, listingFolder, sharedFolder } from "./generate.ts";

const START_MS = 10_000;

/** nginx as a static imitation of an S3 server. */
export interface StaticServer {
  /** `http://127.0.0.1:PORT` */
  endpoint: string;
  /** The same over TLS, with the certificate in `caFile`. */
  tls: { endpoint: string; caFile: string };
  /** The same over plain HTTP, with an internal error instead of 1 % of the responses for objects. */
  failing: { endpoint: string };
  stop(): Promise<void>;
}

/** Serves the generated buckets of the work folder on a free loopback port. */
export async function startNginx(work: string, workloads: readonly Workload[]): Promise<StaticServer> {
  const folder = join(work, "nginx");
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const tlsPort = await freePort();
  const failingPort = await freePort();
  const certificate = makeCertificate(folder);
  const errors = join(folder, `error-${port}.log`);
  const file = join(folder, `nginx-${port}.conf`);
  writeFileSync(join(folder, "failed.xml"), error("InternalError", "Try again."));
  writeFileSync(join(folder, "no-such-key.xml"), error("NoSuchKey", "The specified key does not exist."));
  writeFileSync(join(folder, "changed.xml"), error("PreconditionFailed", "The object is not the one that was named."));
  writeFileSync(
    file,
    configuration({
      work,
      folder,
      errors,
      ports: { plain: port, tls: tlsPort, failing: failingPort },
      certificate,
      workloads,
    }),
  );
  const nginx = start("nginx", ["-e", errors, "-p", folder, "-c", file], { stdio: "ignore" });
  const end = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (nginx.exitCode !== null || Date.now() > end) {
      await stop(nginx);
      throw new Error(`nginx did not start:\n${readFileSync(errors, "utf8")}`);
    }
    await sleep(20);
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    tls: { endpoint: `https://127.0.0.1:${tlsPort}`, caFile: certificate.cert },
    failing: { endpoint: `http://127.0.0.1:${failingPort}` },
    stop: () => stop(nginx),
  };
}

interface Setup {
  work: string;
  folder: string;
  errors: string;
  ports: { plain: number; tls: number; failing: number };
  /** Paths of the files. */
  certificate: { cert: string; key: string };
  workloads: readonly Workload[];
}

/**
 * Objects are files. Listings are files that the query selects. A regular expression extracts the continuation token,
 * because nginx variables cannot contain the hyphen of its name.
 */
function configuration({ work, folder, errors, ports, certificate, workloads }: Setup): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${folder}/temporary-${kind};`)
    .join("\n");
  return `daemon off;
${userInfo().uid === 0 ? "user root;" : ""}
worker_processes auto;
pid ${folder}/nginx-${ports.plain}.pid;
error_log ${errors} warn;
events { worker_connections 4096; }
http {
${temporary}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  keepalive_timeout 1h;
  types { application/xml xml; }
  default_type application/octet-stream;
  map $args $token { default 1; "~(?:^|&)continuation-token=(?<asked>[^&]+)" $asked; }
  map "$arg_delimiter $arg_prefix" $scope { default unknown; " " all; "~^%2F (?<folder>.*)$" in.$folder; }
  map $args $answer { default $scope.$token.xml; "~^location" location.xml; "~(?:^|&)max-keys=1(?:&|$)" one.xml; }
  split_clients $request_id $is_failing { 1% 1; * ""; }
${server({ work, folder, workloads, listen: `${ports.plain} reuseport backlog=1024` })}
${server({
  work,
  folder,
  workloads,
  listen: `${ports.tls} ssl reuseport backlog=1024`,
  more: `    ssl_certificate ${certificate.cert};
    ssl_certificate_key ${certificate.key};
    ssl_session_cache shared:bench:1m;`,
})}
${server({
  work,
  folder,
  workloads,
  listen: `${ports.failing} reuseport backlog=1024`,
  more: `    error_page 500 /failed.xml;
    location = /failed.xml { internal; root ${folder}; }
    if ($is_failing) { return 500; }`,
})}
}
`;
}

interface Server extends Pick<Setup, "work" | "folder" | "workloads"> {
  /** The port and its options. */
  listen: string;
  /** Further directives. */
  more?: string;
}

function server({ work, folder, workloads, listen, more = "" }: Server): string {
  return `  server {
    listen 127.0.0.1:${listen};
${more}
    root ${bucketsFolder(work)};
    error_page 404 /no-such-key.xml;
    error_page 412 /changed.xml;
    location = /no-such-key.xml { internal; root ${folder}; }
    location = /changed.xml { internal; root ${folder}; }
${workloads.map((workload) => locations(work, workload)).join("\n")}
  }`;
}

/** Creates a self-signed certificate for the loopback address, and returns the paths of its files. */
function makeCertificate(folder: string): { cert: string; key: string } {
  const files = { cert: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=bench"],
      ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out", files.cert],
    ],
    { stdio: "ignore" },
  );
  return files;
}

function locations(work: string, { bucket, sharedBytes }: Workload): string {
  const listing = `{ root ${listingFolder(work, bucket)}; try_files /$answer =404; }`;
  const shared = `    location ~ ^/${bucket}/.+(?<last>[0-9][0-9][0-9])[.]csv$ { try_files /${sharedFolder(bucket)}/$last =404; }`;
  return `    location = /${bucket} ${listing}
    location = /${bucket}/ ${listing}
${sharedBytes === undefined ? "" : shared}`;
}

function error(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });
}
