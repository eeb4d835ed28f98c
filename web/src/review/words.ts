import de from "../words/de/review.json";
import en from "../words/en/review.json";
import { addWords } from "../words/later.ts";

addWords("review", { de, en });
