/** The script of landing pages that copies texts. */
import { offerCopies } from "./offer-copies.ts";

offerCopies(document);
