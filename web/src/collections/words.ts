import de from "../words/de/collections.json";
import en from "../words/en/collections.json";
import { addWords } from "../words/later.ts";

addWords("collections", { de, en });
