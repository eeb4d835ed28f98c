/** Which modules a module may import besides itself; all others are an error, type-only imports too (`npm run check`). */
const packages = (name) => `packages/${name}/src/index[.]ts`; // their public interface
/** What publication needs of the work within a request and after it, which call it. */
const inside = "intake/(context|reserve-doi)[.]ts|steps/(context|archive-change)[.]ts";
const modules = {
  // Not listed, because they are understood alone: platform (except its configuration) and the packages.
  "src/domain": "src/describe/metadata", // rules and states of submissions; search reads the model of the metadata
  "src/platform/config": "src/(domain|describe/metadata|public/usage)", // reads settings, and the files that they name
  "src/source": "src/(domain|platform/threads)", // alone speaks to the submitter's bucket, in `s3/`; the steps know only the interface
  "src/archive": `src/(domain|describe)|${packages("ocfl")}`, // alone knows where files are stored
  "src/db": "src/(domain|describe|public/(catalogue|usage)|platform/(database|threads))", // alone builds SQL
  "src/describe": `src/(domain|platform)|${packages("ocfl")}`, // the metadata, and all that is stated of a version; no network, no database
  "src/public": "src/(domain|describe|platform/threads)", // what anyone may see, without database
  "src/people": "src/(domain|db)", // identifies callers by tokens in the database
  "src/export": "src/(domain|archive|describe|platform/threads)", // packages archived files, also without a database
  "src/rebuild": "src/(domain|archive|db|describe)", // recreates the database from the archive
  "src/uploads": "src/(domain|source|archive|db)", // receives files
  "src/intake": "src/(domain|source|archive|db|describe|uploads|platform)", // work within a request
  "src/steps": `src/(domain|source|archive|describe|db|uploads|platform|public/catalogue|publication)|${packages("ocfl")}`, // and after it
  "src/publication/(rules|datacite)": "src/(domain|describe/metadata)", // decides, and asks DataCite, without database
  "src/publication/(commands|doi|service)": `src/(publication|domain|describe|archive|db|source|${inside})`, // what a publication does
  "src/notify": "src/(domain|source|db|platform)", // reads events; no module waits for it
  "src/http":
    "src/(domain|describe|people|intake|publication/commands|export|db|public|uploads|platform/(telemetry|database))", // translates requests
  "src/main": "src", // opens and connects everything
  "src/cli": `src/(domain|archive|main|describe/(import|metadata|vocabulary)|platform)|${packages("[^/]+")}`, // through the client, or offline
  "web/src": packages("client"), // knows the service by its API only
};
const sql = "node_modules/(kysely|pg|@electric-sql)/";
const siblings =
  "(src/steps/(?:list|transfer|verify|seal|audit)|web/src/(?:new|submissions?|datasets?|receipt|sign-in))";
const otherSiblings = { path: `^(${siblings}|web/src/shell)/`, pathNot: "^$1/" };
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const allow = (from, to) => ({ from: { path: `^${from}/` }, to: { path: `^(${to})(/|$)` } });
export default {
  allowed: [
    { from: { path: "^(src/[^/]+|web/src|packages/[^/]+)/" }, to: { path: "^$1/" } },
    { from: {}, to: { dependencyTypesNot: ["local", "localmodule"] } },
    // What the service and the page both decide; it depends on nothing.
    { from: { path: "^(src|web/src)/" }, to: { path: `^(${packages("rules")}|packages/rules/src/words/)` } },
    // The rules of publication have no I/O, like those in src/domain.
    { from: { path: "^src/(?!domain|platform/(?!config))" }, to: { path: "^src/publication/rules/" } },
    { from: { path: "^src/" }, to: { path: "^src/platform/back-off[.]ts$" } },
    ...Object.entries(modules).map(([module, others]) => allow(module, others)),
  ],
  allowedSeverity: "error",
  forbidden: [
    rule("no-cycles", "Modules in a cycle cannot be understood alone.", {}, { circular: true }),
    rule("no-tests", "Production code does not need tests.", { path: "/src/|^src/" }, { path: "(^|/)tests/" }),
    rule(
      "sql",
      "All SQL is in src/db.",
      { pathNot: "^src/(db|platform/database)/" },
      { path: sql, dependencyTypesNot: ["type-only"] },
    ),
    rule("siblings", "Steps and pages change alone.", { path: `^${siblings}/` }, otherSiblings),
    rule(
      "kind-of-source",
      "Uploads can become a second kind.",
      { path: "^src/(steps|publication)/" },
      { path: "^src/source/s3/" },
    ),
    rule("browser", "The page runs in browsers.", { path: "^web/src/" }, { dependencyTypes: ["core"] }),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" }, exclude: "[.]test[.]ts$" },
};
