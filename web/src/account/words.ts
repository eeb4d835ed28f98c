import de from "../words/de/account.json";
import en from "../words/en/account.json";
import { addWords } from "../words/later.ts";

addWords("account", { de, en });
