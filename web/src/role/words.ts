import de from "../words/de/role.json";
import en from "../words/en/role.json";
import { addWords } from "../words/later.ts";

addWords("role", { de, en });
