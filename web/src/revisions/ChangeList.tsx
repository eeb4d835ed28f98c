import { type Difference, isObject, isSame, type MemberChange } from "@accession/rules";
import { useTranslation } from "react-i18next";
import { type FieldGroup, useFieldGroups } from "../api/field-groups.ts";
import { useOwnFieldNames } from "../metadata-form/own-fields/useFieldTexts.ts";
import { inFieldOrder, useOwnValueText } from "../metadata-form/own-fields/useOwnValueText.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { visibleLines } from "../ui/text/format.ts";
import { useTerm } from "../ui/text/useTerm.ts";
import classes from "./ChangeList.module.css";

interface Props {
  changes: readonly MemberChange[];
  /** The definitions of the operator's fields that the states have; others are those of the configuration. */
  groups?: readonly FieldGroup[];
}

/** What differs between two states of metadata, member by member. */
export function ChangeList({ changes, groups = NONE }: Props) {
  const { t } = useTranslation("edit");
  const memberName = useMemberName();
  const ownNames = useOwnFieldNames(groups);
  const nameOf = (member: string) =>
    member.startsWith("fields/") ? ownNames(`/metadata/${member}`).join(", ") : memberName(member);
  return (
    <dl className={classes.changes}>
      {changes.map(({ member, differences, isReordered }) => (
        <div key={member}>
          <dt>{visibleLines(nameOf(member))}</dt>
          {isReordered && <dd>{t("reordered")}</dd>}
          {differences.map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the differences have no identity and are replaced as a whole.
            <Changed key={index} difference={difference} member={member} groups={groups} />
          ))}
        </div>
      ))}
    </dl>
  );
}

const NONE: readonly FieldGroup[] = [];

interface ChangedProps {
  difference: Difference;
  member: string;
  groups: readonly FieldGroup[];
}

function Changed({ difference, member, groups }: ChangedProps) {
  const { before, after } = difference;
  const { textOf, fieldOf } = useEntryWords();
  const ownNames = useOwnFieldNames(groups);
  const configured = useFieldGroups() ?? NONE;
  const isOwn = member.startsWith("fields/");
  if (!isObject(before) || !isObject(after)) {
    return <BeforeAndAfter {...difference} member={member} groups={groups} />;
  }
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = isOwn ? inFieldOrder([...groups, ...configured], member.replace("fields/", ""), all) : all;
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
              <BeforeAndAfter
                before={before[name]}
                after={after[name]}
                member={isOwn ? `${member}/${name}` : name}
                groups={groups}
              />
            </div>
          ))}
      </dl>
    </dd>
  );
}

function BeforeAndAfter({ before, after, member, groups }: Difference & Omit<ChangedProps, "difference">) {
  const { t } = useTranslation("edit");
  const words = useEntryWords();
  const ownText = useOwnValueText(groups);
  const textOf = (value: unknown) =>
    member.startsWith("fields/") ? ownText(`/metadata/${member}`, value) : words.textOf(value, member);
  return (
    <>
      {before !== undefined && (
        <dd data-kind="removed">
          <span className={classes.mark}>{t(after === undefined ? "removed" : "before")}</span>
          <del>
            <bdi>{textOf(before)}</bdi>
          </del>
        </dd>
      )}
      {after !== undefined && (
        <dd data-kind="added">
          <span className={classes.mark}>{t(before === undefined ? "added" : "now")}</span>
          <ins>
            <bdi>{textOf(after)}</bdi>
          </ins>
        </dd>
      )}
    </>
  );
}

/** Names of members and terms. Others are not looked up, because they come from outside. */
const NAME = /^[A-Za-z]{1,50}$/;

/** Members of an entry that are not part of its text, because another one says the same or they need a label. */
const UNSAID = ["nameType", "public", "firstName", "lastName"];

/** Gives the texts of a value of the metadata: the label of a member of an entry, and the value for people. */
function useEntryWords() {
  const { t, i18n } = useTranslation(["metadata", "new", "edit"]);
  const term = useTerm();
  const wordsOf = (words: string, name: string): string | undefined =>
    NAME.test(name) && i18n.exists(`${words}.${name}`) ? String(t(`${words}.${name}` as never)) : undefined;
  const knownField = (member: string) =>
    member === "public"
      ? t("new:more.contactPublic")
      : (wordsOf("metadata:fields", member) ?? wordsOf("new:authors", member));
  const textOf = (value: unknown, member = ""): string => {
    if (Array.isArray(value)) return value.map((one) => textOf(one)).join("; ");
    if (isObject(value)) return textOfEntry(value);
    if (typeof value === "boolean") return t(value ? "edit:yes" : "edit:no");
    const text = value === undefined || value === null ? "" : visibleLines(String(value));
    return (member === "role" ? wordsOf("new:roles", text) : undefined) ?? term(member, text);
  };
  /** The name of a person, and then the other members. Members that the form does not have are named. */
  function textOfEntry(entry: Record<string, unknown>): string {
    const person = [entry.firstName, entry.lastName].map((name) => textOf(name)).filter((text) => text !== "");
    const others = Object.entries(entry).flatMap(([name, inner]) => {
      const text = UNSAID.includes(name) ? "" : textOf(inner, name);
      if (text === "") return [];
      const isNamed = knownField(name) === undefined && !NESTED.includes(name);
      return [isNamed ? `${visibleLines(name)}: ${text}` : text];
    });
    return [...(person.length === 0 ? [] : [person.join(" ")]), ...others].join(", ");
  }
  return { fieldOf: (member: string) => knownField(member) ?? visibleLines(member), textOf };
}

/** Members of an entry that contain others, and have no label. */
const NESTED = ["geoLocationPoint", "geoLocationBox"];
