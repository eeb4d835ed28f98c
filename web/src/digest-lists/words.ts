import de from "../words/de/listed.json";
import en from "../words/en/listed.json";
import { addWords } from "../words/later.ts";

addWords("listed", { de, en });
