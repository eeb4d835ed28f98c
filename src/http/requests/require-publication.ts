import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";

/** @throws Problem `publication_off` if this service only archives datasets */
export function requirePublication({ publication }: HttpContext): void {
  if (publication.mode === "off") throw new Problem("publication_off");
}
