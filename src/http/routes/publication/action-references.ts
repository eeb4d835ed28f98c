import { collectionsById } from "../../../db/collections/collections.ts";
import { commentStates } from "../../../db/publication/comments.ts";
import { isCurator } from "../../../db/publication/curators.ts";
import { findEntry } from "../../../db/publication/history.ts";
import { Metadata } from "../../../describe/metadata/schema.ts";
import type { Remark } from "../../../domain/problems.ts";
import { invalid } from "../../../intake/request.ts";
import type { ActionRequest } from "../../../publication/commands/inputs.ts";
import type { Place } from "../../../publication/rules/publication.ts";
import type { Party } from "../../../publication/rules/states.ts";
import type { HttpContext } from "../../context.ts";
import { filesOf, findFile } from "../../dataset/files.ts";
import type { Version } from "../../dataset/readable-version.ts";

/** RFC 6901, with the first member. */
const POINTER = /^\/((?:[^~/]|~[01])*)(?:\/(?:[^~/]|~[01])*)*$/;

/** What is wrong with a curator, by the way people sign in. */
export const UNKNOWN_CURATORS = {
  none: "Without sign-in, the only account is `local`.",
  tokens: "No account with this name has a token of a curator or admin. `GET /curator` lists them.",
  oidc: "No account with this name had the role curator or admin when it last signed in. `GET /curator` lists those that had it. New curators sign in once, so that the service knows them.",
} as const;

/**
 * Checks that what an action refers to exists: the file and the earlier comment of a comment, the comment that is resolved, the curator of an
 * assignment, and the collections of a request. Only for people who can see these: for others, the action itself is refused.
 *
 * @throws Problem `invalid_request` with all errors
 */
export async function requireReferences(
  context: HttpContext,
  version: Version,
  actor: { name: string; parties: readonly Party[] },
  { action, input }: ActionRequest,
): Promise<void> {
  const errors: Remark[] = [];
  const add = (pointer: string, detail: string) => errors.push({ pointer, code: "wrong_value", detail });
  if (action === "comment" && actor.parties.length > 0) {
    const { place, answers } = input;
    if (place !== null) await checkPlace(context, version, place, add);
    if (answers !== null && !(await isComment(context, version, answers))) {
      add("/answers", "The history has no comment with this number.");
    }
  } else if (action === "resolve" && actor.parties.length > 0) {
    const { dataset, number } = version;
    if (!(await commentStates(context.db, dataset.id, number)).has(input.answers)) {
      add("/entry", "The history has no comment with this number that answers no other one.");
    }
  } else if (action === "assign" && actor.parties.some((party) => party !== "owner")) {
    const { curator } = input;
    const { db, signIn } = context;
    if (curator !== null && curator !== actor.name && !(await isCurator(db, signIn.method, curator))) {
      add("/curator", UNKNOWN_CURATORS[signIn.method]);
    }
  }
  if (action === "request") await checkCollections(context, input.collections ?? [], add);
  if (errors.length > 0) throw invalid(errors, []);
}

async function checkCollections({ db, publication }: HttpContext, ids: readonly string[], add: Add): Promise<void> {
  if (ids.length === 0) return;
  if (publication.mode === "direct") {
    const detail =
      "This service publishes without review, so that no curator decides about the request. Ask a curator of the collection to add the dataset after its publication.";
    add("/collections", detail);
    return;
  }
  const known = await collectionsById(db, ids);
  for (const [index, id] of ids.entries()) {
    if (!known.has(id)) add(`/collections/${index}`, "No collection has this id. `GET /collections` lists them.");
  }
}

type Add = (pointer: string, detail: string) => void;

async function checkPlace(context: HttpContext, version: Version, place: Place, add: Add): Promise<void> {
  if ("file" in place) {
    if (!(await hasFile(context, version, place.file))) add("/place/file", "The version has no such file or folder.");
    return;
  }
  // The field itself may be missing: the comment can ask for it.
  const [, name] = POINTER.exec(place.field) ?? [];
  if (name === undefined) add("/place/field", "The value is not a JSON Pointer, such as `/authors/0`.");
  else if (!Object.hasOwn(Metadata.properties, name)) add("/place/field", "Metadata have no such field.");
}

async function hasFile(context: HttpContext, version: Version, path: string): Promise<boolean> {
  if (path === "") return false;
  if ((await findFile(context, version, path)) !== undefined) return true;
  const prefix = path.endsWith("/") ? path : `${path}/`;
  for await (const files of filesOf(context, version, { prefix })) if (files.length > 0) return true;
  return false;
}

async function isComment({ db }: HttpContext, { dataset, number }: Version, no: number): Promise<boolean> {
  const entry = await findEntry(db, dataset.id, number, no);
  return entry !== undefined && entry.comment !== "";
}
