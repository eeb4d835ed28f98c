import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { Name } from "../../ui/Name.tsx";
import { Bytes } from "../../ui/Numbers.tsx";
import newClasses from "../New.module.css";
import classes from "./Where.module.css";

/** The largest objects, by their keys. */
export function Largest({ largest }: { largest: Preview["largest"] }) {
  const { t } = useTranslation("new");
  return (
    <details className={newClasses.fold}>
      <summary>{t("preview.largest")}</summary>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("preview.key")}</th>
            <th scope="col">{t("preview.bytes")}</th>
          </tr>
        </thead>
        <tbody>
          {largest.map(({ key, bytes }) => (
            <tr key={key}>
              <td>
                <code>
                  <Name>{key}</Name>
                </code>
              </td>
              <td>
                <Bytes value={bytes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
