import de from "../words/de/publication.json";
import en from "../words/en/publication.json";
import { addWords } from "../words/later.ts";

addWords("publication", { de, en });
