import de from "../../words/de/digests.json";
import en from "../../words/en/digests.json";
import { addWords } from "../../words/later.ts";

addWords("digests", { de, en });
