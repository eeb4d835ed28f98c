/** Which modules a module may import besides itself; all others are an error, type-only imports too (`npm run check`). */
const modules = {
  // Not listed, so that they can be understood alone: domain, config, jobs, telemetry, threads and the packages.
  // Only source speaks to the submitter's bucket, only archive knows where files are stored, only db builds SQL.
  "src/source": "src/(domain|threads)",
  "src/archive": "src/domain|packages/ocfl/src/index[.]ts",
  "src/db": "src/(domain|threads)",
  "src/auth": "src/(domain|db)",
  "src/export": "src/(domain|archive|threads)",
  "src/rebuild": "src/(domain|archive|db)",
  // What happens within a request, what happens after it, and who is notified do not import each other.
  "src/intake": "src/(domain|source|archive|db|jobs|telemetry)",
  "src/steps": "src/(domain|source|archive|db|jobs|telemetry|threads)|packages/ocfl/src/index[.]ts",
  "src/notify": "src/(domain|source|db|jobs|telemetry)",
  "src/http": "src/(domain|auth|intake|export|db|telemetry)",
  // Only main imports everything. Commands start it, read an archive, or call the API through the client.
  "src/main": "src",
  "src/cli": "src/(domain|config|archive|main|telemetry/log[.]ts)|packages",
  // The page knows the service by its API alone.
  "web/src": "packages/client",
};
const siblings =
  "^(src/steps/(?:list|transfer|verify|package|audit)|web/src/(?:new|submissions?|datasets?|receipt|sign-in))/";
const rule = (name, from, to) => ({ name, severity: "error", from: { path: from }, to });
const allow = (from, to) => ({ from: { path: `^${from}/` }, to: { path: `^(${to})(/|$)` } });

export default {
  allowed: [
    { from: { path: "^(src/[^/]+|web/src|packages/[^/]+)/" }, to: { path: "^$1/" } },
    { from: {}, to: { dependencyTypesNot: ["local", "localmodule"] } },
    ...Object.entries(modules).map(([module, others]) => allow(module, others)),
  ],
  allowedSeverity: "error",
  forbidden: [
    rule("no-cycles", "", { circular: true }),
    rule("independent-siblings", siblings, { path: `${siblings}|^web/src/shell/`, pathNot: "^$1/" }),
    rule("page-without-node", "^web/src/", { dependencyTypes: ["core"] }),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: ["node_modules", "^tests"] }, exclude: "[.]test[.]ts$" },
};
