/** Which modules a module may import besides itself; all others are an error, type-only imports too (`npm run check`). */
const packages = (name) => `packages/${name}/src/index[.]ts`; // their public interface
/** What publication needs of the work within a request and after it, which call it. */
const inside = "intake/(context|reserve-doi)[.]ts|steps/(context|archive-change)[.]ts";
const modules = {
  // Not listed, because they are understood alone: domain, jobs, telemetry, threads and the packages.
  "src/config": "src/domain", // reads settings, and the files that they name
  "src/datacite": "src/domain", // alone speaks to DataCite
  "src/source": "src/(domain|threads)", // alone speaks to the submitter's bucket
  "src/archive": `src/domain|${packages("ocfl")}`, // alone knows where files are stored
  "src/db": "src/(domain|threads)", // alone builds SQL
  "src/auth": "src/(domain|db)", // identifies callers by tokens in the database
  "src/describe": "src/(domain|archive)", // composes what a version states, for all who state it
  "src/export": "src/(domain|archive|threads)", // works on archived files, also without a database
  "src/import": "src/(domain|threads)", // reads metadata files, without network and database
  "src/rebuild": "src/(domain|archive|db)", // recreates the database from the archive
  "src/vocabulary": "src/domain", // reads files with controlled vocabularies
  "src/intake": "src/(domain|source|archive|db|jobs|telemetry|import)", // work within a request
  "src/steps": `src/(domain|source|archive|datacite|db|jobs|telemetry|threads|publication|describe)|${packages("ocfl")}`, // and after it
  "src/publication/rules": "src/domain", // decides, without database and network
  "src/publication/(commands|doi|service)": `src/(publication|domain|describe|archive|datacite|db|source|${inside})`, // what a publication does
  "src/notify": "src/(domain|source|db|jobs|telemetry)", // reads events; no module waits for it
  "src/site": "src/(domain|export)", // writes the public pages
  "src/http": "src/(domain|describe|auth|intake|publication/commands|export|import|db|site|telemetry)", // translates requests
  "src/main": "src", // opens and connects everything
  "src/cli": `src/(domain|config|archive|main|import/reading|telemetry/log[.]ts)|${packages("[^/]+")}`, // through the client, or offline
  "web/src": packages("client"), // knows the service by its API only
};
const sql = "node_modules/(kysely|pg|@electric-sql)/";
const siblings =
  "(src/steps/(?:list|transfer|verify|package|audit)|web/src/(?:new|submissions?|datasets?|receipt|sign-in))";
const otherSiblings = { path: `^(${siblings}|web/src/shell)/`, pathNot: "^$1/" };
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const allow = (from, to) => ({ from: { path: `^${from}/` }, to: { path: `^(${to})(/|$)` } });
export default {
  allowed: [
    { from: { path: "^(src/[^/]+|web/src|packages/[^/]+)/" }, to: { path: "^$1/" } },
    { from: {}, to: { dependencyTypesNot: ["local", "localmodule"] } },
    // The rules of publication have no I/O, like those in src/domain.
    { from: { path: "^src/(?!domain|jobs|telemetry|threads)" }, to: { path: "^src/publication/rules/" } },
    ...Object.entries(modules).map(([module, others]) => allow(module, others)),
  ],
  allowedSeverity: "error",
  forbidden: [
    rule("no-cycles", "Modules in a cycle cannot be understood alone.", {}, { circular: true }),
    rule("no-tests", "Production code does not need tests.", { path: "/src/|^src/" }, { path: "(^|/)tests/" }),
    rule("sql", "All SQL is in src/db.", { pathNot: "^src/db/" }, { path: sql, dependencyTypesNot: ["type-only"] }),
    rule("siblings", "Steps and pages change alone.", { path: `^${siblings}/` }, otherSiblings),
    rule("browser", "The page runs in browsers.", { path: "^web/src/" }, { dependencyTypes: ["core"] }),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" }, exclude: "[.]test[.]ts$" },
};
