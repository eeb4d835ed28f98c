import { useTranslation } from "react-i18next";
import { useOwnFieldNames } from "../metadata-form/own-fields/useFieldTexts.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { visibleLines } from "../ui/format.ts";
import classes from "./ChangeList.module.css";
import type { Difference, MemberChange } from "./compare-metadata.ts";
import { isObject, isSame } from "./same.ts";
import { useEntryWords } from "./useEntryWords.ts";

/** What differs between two states of metadata, member by member. */
export function ChangeList({ changes }: { changes: readonly MemberChange[] }) {
  const { t } = useTranslation("edit");
  const nameOf = useMemberName();
  return (
    <dl className={classes.changes}>
      {changes.map(({ member, differences, isReordered }) => (
        <div key={member}>
          <dt>{visibleLines(nameOf(member))}</dt>
          {isReordered && <dd>{t("reordered")}</dd>}
          {differences.map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the differences have no identity and are replaced as a whole.
            <Changed key={index} difference={difference} member={member} />
          ))}
        </div>
      ))}
    </dl>
  );
}

function Changed({ difference, member }: { difference: Difference; member: string }) {
  const { before, after } = difference;
  const { textOf, fieldOf } = useEntryWords();
  const ownNames = useOwnFieldNames();
  const isOwn = member.startsWith("fields/");
  if (!isObject(before) || !isObject(after)) return <BeforeAndAfter {...difference} member={member} />;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // The name of a person identifies the entry, also if a part of it has changed.
  const same = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => /^(first|last)Name$/.test(name) || isSame(before[name], value)),
  );
  return (
    <dd>
      {!isOwn && <bdi className={classes.entry}>{textOf(same)}</bdi>}
      <dl className={classes.fields}>
        {names
          .filter((name) => !isSame(before[name], after[name]))
          .map((name) => (
            <div key={name}>
              <dt>
                {isOwn ? visibleLines(ownNames(`/metadata/${member}/${name}`).slice(1).join(", ")) : fieldOf(name)}
              </dt>
              <BeforeAndAfter before={before[name]} after={after[name]} member={name} />
            </div>
          ))}
      </dl>
    </dd>
  );
}

function BeforeAndAfter({ before, after, member }: Difference & { member: string }) {
  const { t } = useTranslation("edit");
  const { textOf } = useEntryWords();
  return (
    <>
      {before !== undefined && (
        <dd data-kind="removed">
          <span className={classes.mark}>{t(after === undefined ? "removed" : "before")}</span>
          <del>
            <bdi>{textOf(before, member)}</bdi>
          </del>
        </dd>
      )}
      {after !== undefined && (
        <dd data-kind="added">
          <span className={classes.mark}>{t(before === undefined ? "added" : "now")}</span>
          <ins>
            <bdi>{textOf(after, member)}</bdi>
          </ins>
        </dd>
      )}
    </>
  );
}
