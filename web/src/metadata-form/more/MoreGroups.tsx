import { Checkbox, TextInput, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BelowField } from "../BelowField.tsx";
import { useMetadataForm } from "../context.ts";
import { isFilled, isListName } from "../entries/lists.ts";
import formClasses from "../Form.module.css";
import { OwnGroups } from "../own-fields/OwnGroups.tsx";
import { useField, useTextField, useTextMember } from "../useField.ts";
import { EntryList } from "./EntryList.tsx";
import { FoldedGroup, Part } from "./FoldedGroup.tsx";
import { MemberField } from "./MemberField.tsx";
import classes from "./More.module.css";
import { GROUPS, type GroupOfMembers, type OptionalMember, type OptionalText } from "./members.ts";

/** The optional entries of the description, in collapsed groups. */
export function MoreGroups() {
  const { t } = useTranslation("new");
  return (
    <section aria-labelledby="more" className={classes.more}>
      <div>
        <Title order={3} size="h4" id="more">
          {t("more.title")}
        </Title>
        <p className={formClasses.lead}>{t("more.lead")}</p>
      </div>
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <Group key={group.name} {...group} />
        ))}
        <OwnGroups />
      </div>
    </section>
  );
}

/** A group of optional entries. Its heading states what it contains. */
function Group({ name, rows }: GroupOfMembers) {
  const { t } = useTranslation("new");
  const { description, contact, lists } = useMetadataForm().draft;
  const members = rows.flat();
  const countOf = (member: OptionalMember) => {
    if (isListName(member)) return lists[member].filter(isFilled).length;
    const text = member === "contact" ? contact.name + contact.email : description[member];
    return text.trim() === "" ? 0 : 1;
  };
  return (
    <FoldedGroup
      title={t(`more.groups.${name}.title`)}
      detail={t(`more.groups.${name}.detail`)}
      count={members.reduce((sum, member) => sum + countOf(member), 0)}
      pointers={members.map((member) => `/metadata/${member}`)}
    >
      {rows.map((row) => (
        <Row key={row.join()} members={row} isOnly={members.length === 1} />
      ))}
    </FoldedGroup>
  );
}

/** The members in a row. A list has a heading, unless it is the only member of its group. */
function Row({ members, isOnly }: { members: readonly OptionalMember[]; isOnly: boolean }) {
  const { t } = useTranslation(["metadata", "new"]);
  const input = useTextMember();
  const [first] = members;
  if (first === undefined) return null;
  if (first === "contact") return <ContactFields />;
  if (isListName(first)) {
    if (isOnly) return <EntryList list={first} />;
    return (
      <Part title={t(`lists.${first}`)}>
        <EntryList list={first} />
      </Part>
    );
  }
  const texts = members as readonly OptionalText[];
  const fields = texts.map((name) => (
    <MemberField
      key={name}
      name={name}
      field={input(name)}
      isBeside={texts.length > 1}
      absent={t("new:more.dataset")}
    />
  ));
  return (
    <>
      {texts.length > 1 ? <div className={formClasses.two}>{fields}</div> : fields}
      {texts.map((member) => (
        <BelowField key={member} member={member} />
      ))}
    </>
  );
}

/** The contact for questions about the dataset. */
function ContactFields() {
  const { t } = useTranslation("new");
  const { draft, setContact } = useMetadataForm();
  const text = useTextField();
  const input = (name: "name" | "email", label: string) =>
    text(`/metadata/contact/${name}`, label, draft.contact[name], (value) => setContact({ [name]: value }));
  return (
    <>
      <div className={formClasses.two}>
        <TextInput {...input("name", t("more.contactName"))} />
        <TextInput {...input("email", t("more.contactEmail"))} type="email" />
      </div>
      <Checkbox
        {...useField()("/metadata/contact/public")}
        label={t("more.contactPublic")}
        description={t("more.contactPublicDetail")}
        checked={draft.contact.public}
        onChange={({ currentTarget }) => setContact({ public: currentTarget.checked })}
      />
      <BelowField member="contact" />
    </>
  );
}
