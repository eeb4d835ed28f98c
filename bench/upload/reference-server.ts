/** The reference server of the tus protocol, with files in a folder, and a page for its reference client: `node reference-server.ts FOLDER PORT`. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("tus-js-client/dist/tus.min.js"));
const PAGE = "<!doctype html><script src=tus.js></script><input type=file webkitdirectory><p></p>";

const [directory = "", port] = process.argv.slice(2);
const tus = new Server({ path: "/files", datastore: new FileStore({ directory }) });
createServer((request, answer) => {
  if (request.url === "/page") answer.setHeader("content-type", "text/html").end(PAGE);
  else if (request.url === "/tus.js") answer.setHeader("content-type", "text/javascript").end(SCRIPT);
  else tus.handle(request, answer);
}).listen(Number(port), "127.0.0.1");
