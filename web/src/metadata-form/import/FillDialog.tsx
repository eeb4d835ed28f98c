import { Button, Checkbox, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MetadataSuggestions } from "../../api/intake.ts";
import { remarksOf } from "../../api/intake.ts";
import common from "../../ui/Common.module.css";
import { Dialog, DialogButtons } from "../../ui/Dialog.tsx";
import { ProblemAlert, TroubleAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { useMetadataForm } from "../context.ts";
import type { MetadataEntries } from "../entries/entries.ts";
import { isListName } from "../entries/lists.ts";
import { shortened } from "../entries/useSummary.ts";
import { useMemberName } from "../useMemberName.ts";
import { FileNotes } from "./FileNotes.tsx";
import classes from "./Import.module.css";
import { entryOf, type Member } from "./members.ts";
import { type Plan, planOf, type Suggestion } from "./plan.ts";
import { UnusableFilesError } from "./readFiles.ts";
import { addSources } from "./sources.ts";

interface Props {
  isOpen: boolean;
  /** Fetches the suggestions. */
  read: () => Promise<MetadataSuggestions>;
  /** @param filled the number of filled members; undefined if the user cancelled */
  onClose: (filled?: number) => void;
}

/** Shows which values files suggest, and fills the form with those that the user wants. Keeps what the user has entered. */
export default function FillDialog({ isOpen, read, onClose }: Props) {
  const { t } = useTranslation("new");
  // Not a mutation: nothing is stored. Each dialog reads the files again, because they may have changed.
  const { data, error } = useQuery({ queryKey: ["metadata-files", useId()], queryFn: read, retry: false, gcTime: 0 });
  return (
    <Dialog isOpen={isOpen} title={t("import.title")} size="xl" isGrowing onClose={() => onClose()}>
      {error !== null && <Failed error={error} onClose={onClose} />}
      {error === null && data === undefined && (
        <Skeleton height={200} radius="md" role="status" aria-label={t("import.reading")} />
      )}
      {data !== undefined && <Suggestions suggestions={data} onClose={onClose} />}
    </Dialog>
  );
}

function Failed({ error, onClose }: { error: Error } & Pick<Props, "onClose">) {
  const { t } = useTranslation("ui");
  return (
    <Stack>
      <Why error={error} />
      <DialogButtons>
        <Button variant="default" onClick={() => onClose()}>
          {t("close")}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function Why({ error }: { error: Error }) {
  if (error instanceof UnusableFilesError) return <TroubleAlert trouble={{ title: error.message }} />;
  const unknown = remarksOf(error).find(({ code }) => code === "metadata_file_unknown");
  if (unknown === undefined) return <ProblemAlert error={error} />;
  return <TroubleAlert trouble={{ title: unknown.detail, code: unknown.code }} />;
}

function Suggestions({ suggestions, onClose }: { suggestions: MetadataSuggestions } & Pick<Props, "onClose">) {
  const { t } = useTranslation(["new", "ui"]);
  const { current, fill } = useFill();
  // The entries cannot change while the dialog is open.
  const [plan] = useState(() => planOf(suggestions, current));
  const [refused, setRefused] = useState<ReadonlySet<Member>>(() => new Set(plan.taken.map(({ member }) => member)));
  const chosen = [...plan.empty, ...plan.taken].filter(({ member }) => !refused.has(member));
  const choose = (member: Member, isWanted: boolean) =>
    setRefused((refused) => {
      const others = new Set(refused);
      if (isWanted) others.delete(member);
      else others.add(member);
      return others;
    });
  const take = () => {
    fill(plan.entries, chosen);
    onClose(chosen.length);
  };
  const isNothing = plan.empty.length + plan.taken.length === 0;
  return (
    <Stack gap="lg">
      {isNothing && <Text role="status">{t("import.nothing")}</Text>}
      <Choices title={t("import.empty")} suggestions={plan.empty} refused={refused} onChoose={choose} />
      <Choices
        title={t("import.taken")}
        detail={t("import.takenDetail")}
        suggestions={plan.taken}
        refused={refused}
        onChoose={choose}
      />
      <FileNotes files={suggestions.files} />
      <DialogButtons>
        <Button variant="default" onClick={() => onClose()}>
          {t(isNothing ? "ui:close" : "ui:cancel")}
        </Button>
        {!isNothing && (
          <Button onClick={take} disabled={chosen.length === 0}>
            {t("import.fill", { count: chosen.length })}
          </Button>
        )}
      </DialogButtons>
    </Stack>
  );
}

interface ChoicesProps {
  title: string;
  detail?: string;
  suggestions: Plan["empty"];
  refused: ReadonlySet<Member>;
  onChoose: (member: Member, isWanted: boolean) => void;
}

/** The suggested values, each with a check box. */
function Choices({ title, detail, suggestions, refused, onChoose }: ChoicesProps) {
  const id = useId();
  if (suggestions.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 className={classes.title} id={id}>
        {title}
      </h3>
      {detail !== undefined && <p className={classes.detail}>{detail}</p>}
      <ul className={`${common.list} ${classes.choices}`}>
        {suggestions.map((suggestion) => (
          <Choice
            key={suggestion.member}
            suggestion={suggestion}
            isWanted={!refused.has(suggestion.member)}
            onChange={(isWanted) => onChoose(suggestion.member, isWanted)}
          />
        ))}
      </ul>
    </section>
  );
}

interface ChoiceProps {
  suggestion: Suggestion;
  isWanted: boolean;
  onChange: (isWanted: boolean) => void;
}

function Choice({ suggestion: { member, source, lines, own }, isWanted, onChange }: ChoiceProps) {
  const { t } = useTranslation("new");
  const name = useMemberName()(member);
  const from = t("import.from", { file: visible(source) });
  return (
    <li>
      <Checkbox
        label={own.length === 0 ? name : t("import.replace", { field: name })}
        description={from}
        checked={isWanted}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <div className={classes.values}>
        {own.length > 0 && <Lines label={isWanted ? t("import.yours") : t("import.kept")} lines={own} />}
        <Lines label={own.length > 0 ? t("import.theirs") : undefined} lines={lines} />
      </div>
    </li>
  );
}

/** The numbers of lines and of characters of a value that are shown. */
const LINES = 3;
const CHARACTERS = 240;

function Lines({ label, lines }: { label: string | undefined; lines: readonly string[] }) {
  const { t } = useTranslation("new");
  const { count } = useFormats();
  const shown = useMemo(() => lines.slice(0, LINES).map((line) => shortened(line, CHARACTERS)), [lines]);
  const left = lines.length - shown.length;
  return (
    <div>
      {label !== undefined && <strong>{label}</strong>}
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order.
        <p key={index}>
          <Name>{line}</Name>
        </p>
      ))}
      {left > 0 && <p>{t("import.more", { count: left, shown: count(left) })}</p>}
    </div>
  );
}

/** The entries of the form, and a function that replaces members by suggested ones and records their sources. */
function useFill(): {
  current: MetadataEntries;
  fill: (entries: MetadataEntries, chosen: readonly Suggestion[]) => void;
} {
  const { name, draft, setDescription, setContact, setList, setAuthors } = useMetadataForm();
  const take = (entries: MetadataEntries, member: Member) => {
    if (member === "authors") setAuthors(() => entries.authors);
    else if (member === "contact") setContact(entries.contact);
    else if (isListName(member)) setList(member, () => entries.lists[member] as never);
    else setDescription({ [member]: entries.description[member] });
  };
  return {
    current: draft,
    fill(entries, chosen) {
      for (const { member } of chosen) take(entries, member);
      const sources = chosen.map(
        ({ member, source }) => [member, { file: source, entry: entryOf(entries, member) }] as const,
      );
      addSources(name, new Map(sources));
    },
  };
}
