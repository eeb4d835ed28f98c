import { useTranslation } from "react-i18next";
import type { Unpacking } from "../api/intake.ts";
import formClasses from "../metadata-form/Form.module.css";
import inGerman from "../words/de/unpacking.json";
import inEnglish from "../words/en/unpacking.json";
import { useFormats } from "./text/format.ts";
import { NamedObjects } from "./text/Name.tsx";

interface Props {
  found: Unpacking;
  /** The size of the dataset, which can be larger than what was examined. */
  objects: number;
  /** Whether the dataset can still be changed. */
  isBefore: boolean;
}

/** The files whose names are not possible on every system. Its texts are loaded with it, and not with the other ones. */
export default function DifferentNames({ found: { files, named, examined }, objects, isBefore }: Props) {
  const { i18n } = useTranslation();
  const { count } = useFormats();
  const words: typeof inEnglish = i18n.language === "de" ? inGerman : inEnglish;
  const filled = (text: string, number: number) => text.replace("{{shown}}", count(number));
  const rest = files - named.length;
  return (
    <>
      {filled(files === 1 ? words.what_one : words.what_other, files)} {isBefore ? words.before : words.after}{" "}
      {examined < objects && filled(words.examined, examined)}
      <details className={formClasses.fold}>
        <summary>{words.show}</summary>
        <NamedObjects
          lines={named.map(({ path, reason, other }) => ({
            key: path,
            words: words.reasons[reason].replace("{{other}}", () => other ?? ""),
          }))}
          more={rest > 0 ? filled(rest === 1 ? words.more_one : words.more_other, rest) : undefined}
        />
      </details>
    </>
  );
}
