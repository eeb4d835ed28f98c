import { useTranslation } from "react-i18next";
import type { MetadataSuggestions } from "../../api/intake.ts";
import { ServiceMessage } from "../../ui/problem/ProblemAlert.tsx";
import { joinWords, useProblemWords } from "../../ui/problem/problemWords.ts";
import { KeyName, Name } from "../../ui/text/Name.tsx";
import formClasses from "../Form.module.css";
import classes from "./Import.module.css";

type Files = MetadataSuggestions["files"];

/** The files that cannot be read, and the values that the service does not use. */
export function FileNotes({ files }: { files: Files }) {
  const { t } = useTranslation("new");
  const remarks = files.flatMap(({ key, remarks }) => remarks.map((remark) => ({ ...remark, key })));
  return (
    <>
      {files.map(({ key, problem }) => problem !== null && <Unread key={key} name={key} problem={problem} />)}
      {remarks.length > 0 && (
        <details className={formClasses.fold}>
          <summary>{t("import.remarks", { count: remarks.length })}</summary>
          <ul className={classes.remarks} lang="en">
            {remarks.map(({ key, place, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the remarks never change their order.
              <li key={index}>
                <KeyName>{key}</KeyName>{" "}
                {place !== "" && (
                  <>
                    (<Name>{place}</Name>)
                  </>
                )}{" "}
                <Name>{message}</Name>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Unread({ name, problem }: { name: string; problem: NonNullable<Files[number]["problem"]> }) {
  const words = useProblemWords()(problem.code) ?? problem;
  return (
    <div className={classes.unread}>
      <KeyName>{name}</KeyName>
      <p>{joinWords(words)}</p>
      <ServiceMessage text={problem.detail} />
    </div>
  );
}
