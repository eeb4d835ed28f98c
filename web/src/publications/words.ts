import de from "../words/de/publications.json";
import en from "../words/en/publications.json";
import { addWords } from "../words/later.ts";

addWords("publications", { de, en });
