import { TextInput } from "@mantine/core";
import type { TextField } from "../../list/useEntry.ts";

/** The language of a text. The list of languages is that of the field for the language of the data. */
export function LanguageInput(field: TextField) {
  return <TextInput {...field} list="languages" spellCheck={false} />;
}
