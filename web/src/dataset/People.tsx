import { Anchor, Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Person } from "../api/metadata.ts";
import { useFormats } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { visible } from "../ui/visible.ts";
import classes from "./Dataset.module.css";

/** With more of them, what they made would be far below. */
const FIRST = 10;

/** Who made it or helped: names, affiliations, and the way to their ORCID records. Of many, the first, until all are wanted. */
export function People({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const [isWhole, setWhole] = useState(false);
  const more = people.length - FIRST;
  return (
    <>
      <ul className={classes.people}>
        {people.slice(0, isWhole ? undefined : FIRST).map((person, index) => (
          // Two may have the same name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of authors is theirs, and never changes here.
          <li key={index}>
            <PersonName person={person} />
            {person.affiliation.map(({ name }) => (
              <span key={name} className={classes.affiliation}>
                <Name>{name}</Name>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("people.fewer") : t("people.more", { shown: count(more) })}
        </Button>
      )}
    </>
  );
}

function PersonName({ person: { name, nameIdentifiers, contributorType } }: { person: Person }) {
  const { t } = useTranslation("dataset");
  const { t: form, i18n } = useTranslation("new");
  const isKnown = i18n.exists(`roles.${contributorType}`, { ns: "new" });
  const orcid = nameIdentifiers.find(({ nameIdentifier }) => nameIdentifier.startsWith("https://orcid.org/"));
  return (
    <span>
      <Name>{name}</Name>
      {contributorType !== undefined && contributorType !== "Other" && (
        <span className={classes.role}>
          {" "}
          · {isKnown ? form(`roles.${contributorType as "Editor"}`) : contributorType}
        </span>
      )}
      {orcid !== undefined && (
        <Anchor
          className={classes.orcid}
          href={orcid.nameIdentifier}
          target="_blank"
          rel="noreferrer"
          aria-label={t("orcidOf", { name: visible(name) })}
        >
          ORCID
        </Anchor>
      )}
    </span>
  );
}
