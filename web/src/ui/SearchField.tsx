import { TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";

/** Maximum length of a search text; the service rejects longer ones. */
export const MOST_LETTERS = 1_000;

interface Props {
  label: string;
  /** Names the members that are searched. */
  detail: string;
  value: string;
  onChange: (value: string) => void;
}

/** The search field of a list. */
export function SearchField({ label, detail, value, onChange }: Props) {
  return (
    <TextInput
      type="search"
      flex="1 1 14rem"
      maw="26rem"
      aria-label={label}
      placeholder={label}
      description={detail}
      inputWrapperOrder={["label", "input", "description", "error"]}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={value}
      maxLength={MOST_LETTERS}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
