/** Which module may import which (`npm run check`). What is not listed here is an error; type-only imports count. */
const modules = {
  // The words and rules of the service, its settings, its queue and its telemetry can be understood alone.
  "src/domain": [],
  "src/config": [],
  "src/jobs": [],
  "src/telemetry": [],
  // Only source speaks to the submitter's bucket, only archive knows where files are stored, only db builds SQL.
  "src/source": ["src/domain"],
  "src/archive": ["src/domain"],
  "src/db": ["src/domain"],
  "src/auth": ["src/domain", "src/db"],
  "src/export": ["src/domain", "src/archive"],
  "src/rebuild": ["src/domain", "src/archive", "src/db"],
  // What happens within a request, what happens after it, and who is notified do not import each other.
  "src/intake": ["src/domain", "src/source", "src/archive", "src/db", "src/jobs", "src/telemetry"],
  "src/steps": ["src/domain", "src/source", "src/archive", "src/db", "src/jobs", "src/telemetry"],
  "src/notify": ["src/domain", "src/source", "src/db", "src/jobs", "src/telemetry"],
  "src/http": ["src/domain", "src/auth", "src/intake", "src/export", "src/db", "src/telemetry"],
  // Commands of the operator work on an archive, or start what src/main puts together from everything.
  "src/cli": ["src/domain", "src/config", "src/archive", "src/main", "src/telemetry/log.ts"],
  "src/main": ["src"],
  // The page knows the service by its API alone.
  "web/src": ["packages/client"],
};
const within = (paths) => `^(${paths.join("|")})(/|$)`;
const steps = "^src/steps/(list|transfer|verify|package|audit)/";
const pages = "^web/src/(new|submissions?|datasets?|receipt|sign-in|shell)/";

export default {
  allowed: Object.entries(modules).map(([module, others]) => ({
    from: { path: within([module]) },
    to: { path: within([module, ...others]) },
  })).concat({ from: {}, to: { dependencyTypesNot: ["local", "localmodule"] } }),
  allowedSeverity: "error",
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "steps-are-independent", severity: "error", from: { path: steps }, to: { path: steps, pathNot: "^src/steps/$1/" } },
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: ["node_modules", "^tests"] }, exclude: "[.]test[.]ts$" },
};
