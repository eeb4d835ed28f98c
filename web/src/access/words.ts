import de from "../words/de/access.json";
import en from "../words/en/access.json";
import { addWords } from "../words/later.ts";

addWords("access", { de, en });
