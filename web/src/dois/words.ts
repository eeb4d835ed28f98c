import de from "../words/de/dois.json";
import en from "../words/en/dois.json";
import { addWords } from "../words/later.ts";

addWords("dois", { de, en });
