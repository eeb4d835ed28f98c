import de from "../../words/de/upload.json";
import en from "../../words/en/upload.json";
import { addWords } from "../../words/later.ts";

addWords("upload", { de, en });
