import { Radio, Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface Props<Value extends string> {
  label: string;
  description?: string;
  /** What can be chosen, each with an explanation. */
  choices: readonly { value: Value; label: string; description?: string }[];
  value: Value;
  onChange: (value: Value) => void;
  error?: ReactNode;
}

/** A choice of one of few values, all of which are visible. */
export function RadioChoice<Value extends string>({ choices, onChange, ...group }: Props<Value>) {
  return (
    <Radio.Group
      size="md"
      {...group}
      onChange={(chosen) => {
        const choice = choices.find(({ value }) => value === chosen);
        if (choice !== undefined) onChange(choice.value);
      }}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Radio key={choice.value} size="md" {...choice} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
