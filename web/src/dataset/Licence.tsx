import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Metadata } from "../api/metadata.ts";
import classes from "./Dataset.module.css";

/** Those that are met most often, by what their SPDX id begins with. */
const MEANINGS = [
  [/^CC0-/, "cc0"],
  [/^CC-BY-NC-ND-/, "ccByNcNd"],
  [/^CC-BY-NC-SA-/, "ccByNcSa"],
  [/^CC-BY-NC-/, "ccByNc"],
  [/^CC-BY-ND-/, "ccByNd"],
  [/^CC-BY-SA-/, "ccBySa"],
  [/^CC-BY-/, "ccBy"],
  [/^(MIT|BSD-[23]-Clause|ISC|Apache-2\.0)$/, "permissive"],
  [/^(A|L)?GPL-/, "copyleft"],
] as const;

/** A licence by its name, and in plain words what it lets others do. */
export function Licence({
  rights: { rights, rightsUri, rightsIdentifier },
}: {
  rights: Metadata["rightsList"][number];
}) {
  const { t } = useTranslation("dataset");
  const meaning = MEANINGS.find(([form]) => form.test(rightsIdentifier ?? ""))?.[1];
  const isLink = rightsUri !== undefined && /^https?:\/\//i.test(rightsUri);
  return (
    <>
      {isLink ? (
        <Anchor href={rightsUri} target="_blank" rel="noreferrer" inherit>
          {rights}
        </Anchor>
      ) : (
        rights
      )}
      {meaning !== undefined && <span className={classes.small}>{t(`licence.${meaning}`)}</span>}
    </>
  );
}
