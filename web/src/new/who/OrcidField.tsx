import { TextInput } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import { useTranslation } from "react-i18next";
import { judgeOrcid } from "../orcid.ts";
import classes from "./Who.module.css";

interface Props {
  id: string;
  label: string;
  error: string | undefined;
  value: string;
  onBlur: () => void;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** An ORCID iD, judged while it is typed: as soon as it can be told that it is right or wrong. */
export function OrcidField({ value, error, ...field }: Props) {
  const { t } = useTranslation("new");
  const state = judgeOrcid(value);
  return (
    <TextInput
      {...field}
      value={value}
      inputWrapperOrder={["label", "input", "description", "error"]}
      inputMode="text"
      spellCheck={false}
      placeholder="0000-0002-1825-0097"
      description={t(state === "right" ? "who.orcidRight" : "who.orcidDetail")}
      error={state === "wrong" ? t("faults.orcid") : error}
      rightSection={state === "right" && <IconCircleCheck size={18} aria-hidden className={classes.right} />}
    />
  );
}
