import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { TextField } from "../useField.ts";
import { type FieldInput, INPUTS } from "./members.ts";
import { isTermMember, TermField } from "./terms/TermField.tsx";

interface Props {
  name: keyof typeof INPUTS;
  field: TextField;
  /** Whether other fields are in the same line. Then the explanation is below the field, so that they are aligned. */
  isBeside: boolean;
  /** The label of the choice without a term, where it differs. */
  absent?: string;
}

/** A field of a member of the metadata: one line, several lines, or the choice of a term. */
export function MemberField({ name, field, isBeside, absent }: Props) {
  const texts = useTextsOf(INPUTS[name] ?? {});
  if (isTermMember(name)) return <TermField {...field} name={name} {...(absent !== undefined && { absent })} />;
  const { lines, isCode, suggestions } = INPUTS[name] ?? {};
  if (lines !== undefined) return <Textarea {...field} {...texts} autosize minRows={lines[0]} maxRows={lines[1]} />;
  return (
    <TextInput
      {...field}
      {...texts}
      {...(isBeside &&
        texts.description !== undefined && { inputWrapperOrder: ["label", "input", "description", "error"] })}
      {...(isCode && { spellCheck: false })}
      {...(suggestions !== undefined && { list: suggestions })}
    />
  );
}

function useTextsOf({ detail, example, placeholder }: FieldInput): { description?: string; placeholder?: string } {
  const { t } = useTranslation("new");
  return {
    ...(detail !== undefined && { description: t(`more.${detail}Detail`) }),
    ...(example !== undefined && { placeholder: t(`more.${example}Detail`) }),
    ...(placeholder !== undefined && { placeholder }),
  };
}
