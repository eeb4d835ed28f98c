import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|svg|json)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Lays a brotli and a gzip copy beside everything that gets smaller by it, so that the service compresses nothing. */
export function compressAhead(): Plugin {
  return {
    name: "accession:compress",
    generateBundle: {
      // When everything is as it will be written.
      order: "post",
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => TEXT.test(fileName));
        const copies = files.map(async (file) => {
          const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
          return [
            { fileName: `${file.fileName}.br`, source: await brotli(bytes), bytes },
            { fileName: `${file.fileName}.gz`, source: await zip(bytes, { level: 9 }), bytes },
          ];
        });
        for (const { fileName, source, bytes } of (await Promise.all(copies)).flat()) {
          if (source.length < bytes.length) this.emitFile({ type: "asset", fileName, source });
        }
      },
    },
  };
}
