import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Person } from "../api/metadata.ts";
import classes from "./Dataset.module.css";

/** Who made it or helped: names, affiliations, and the way to their ORCID records. */
export function People({ people }: { people: readonly Person[] }) {
  return (
    <ul className={classes.people}>
      {people.map((person, index) => (
        // Two may have the same name.
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of authors is theirs, and never changes here.
        <li key={index}>
          <Name person={person} />
          {person.affiliation.map(({ name }) => (
            <span key={name} className={classes.affiliation}>
              {name}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Name({ person: { name, nameIdentifiers, contributorType } }: { person: Person }) {
  const { t } = useTranslation("dataset");
  const orcid = nameIdentifiers.find(({ nameIdentifier }) => nameIdentifier.startsWith("https://orcid.org/"));
  return (
    <span>
      {name}
      {contributorType !== undefined && contributorType !== "Other" && (
        <span className={classes.role}> · {contributorType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")}</span>
      )}
      {orcid !== undefined && (
        <Anchor
          className={classes.orcid}
          href={orcid.nameIdentifier}
          target="_blank"
          rel="noreferrer"
          aria-label={t("orcidOf", { name })}
        >
          ORCID
        </Anchor>
      )}
    </span>
  );
}
