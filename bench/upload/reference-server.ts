/** The reference server of the tus protocol, with files in a folder: `node reference-server.ts FOLDER PORT`. */
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

const [directory = "", port] = process.argv.slice(2);
new Server({ path: "/files", datastore: new FileStore({ directory }) }).listen({
  host: "127.0.0.1",
  port: Number(port),
});
