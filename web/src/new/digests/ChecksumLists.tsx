import "./words.ts";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldId } from "../../metadata-form/entries/pointers.ts";
import { useFormErrorText } from "../../metadata-form/errors/useFormErrorText.ts";
import formClasses from "../../metadata-form/Form.module.css";
import { useTextField } from "../../metadata-form/useField.ts";
import common from "../../ui/Common.module.css";
import { visible } from "../../ui/text/format.ts";
import { useForm } from "../form.ts";

/** Together with the metadata, the lists must fit into a request of 8 MiB. */
const MOST_BYTES = 7 * 1024 * 1024;

/** The choice of checksum lists that were made where the data were produced. Their texts stay in memory. */
export function ChecksumLists() {
  const { t } = useTranslation("digests");
  const { draft, lists, setLists, setDataSource, formErrors } = useForm();
  const { lists: names, kind } = draft.dataSource;
  const isWrong = formErrors.some(({ pointer }) => pointer.startsWith("/digests"));
  const [isOpen, setOpen] = useState(names.length > 0);
  const base = useTextField()("/digests/0/base", t("base"), draft.dataSource.base, (value) =>
    setDataSource({ base: value }),
  );
  const [said, setSaid] = useState<"tooLarge" | "unreadable">();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const choose = async (files: readonly File[]) => {
    const others = [...lists].filter(([name]) => !files.some((file) => file.name === name));
    const size = others.reduce((sum, [, text]) => sum + text.length, 0);
    if (files.reduce((sum, file) => sum + file.size, size) > MOST_BYTES) return setSaid("tooLarge");
    try {
      const chosen = await Promise.all(files.map(async (file) => [file.name, await textOf(file)] as const));
      setSaid(undefined);
      setLists([...names, ...chosen.map(([name]) => name)], new Map([...lists, ...chosen]));
    } catch {
      // The file was removed or changed after it was chosen.
      setSaid("unreadable");
    }
  };
  const remove = (removed: string) => {
    const isOther = (name: string) => name !== removed;
    setLists(names.filter(isOther), new Map([...lists].filter(([name]) => isOther(name))));
    chooser.current?.focus();
  };
  return (
    <details
      className={formClasses.fold}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{names.length === 0 ? t("title") : t("titleChosen", { count: names.length })}</summary>
      <div className={formClasses.fields} id={fieldId("/digests")} tabIndex={-1}>
        <Text size="sm" c="dimmed">
          {t("detail")} {t(kind)}
        </Text>
        {names.length > 0 && (
          <ul className={common.list}>
            {names.map((name, index) => (
              <li key={name}>
                <Group gap="xs" justify="space-between">
                  <span>{visible(name)}</span>
                  <Button variant="subtle" size="compact-sm" onClick={() => remove(name)}>
                    {t("remove", { name: visible(name) })}
                  </Button>
                </Group>
                <ListErrors name={name} index={index} />
              </li>
            ))}
          </ul>
        )}
        <Group>
          <Button ref={chooser} variant="default" onClick={() => input.current?.click()}>
            {t("choose")}
          </Button>
        </Group>
        {names.length > 0 && (
          <TextInput
            {...base}
            description={t(`baseOf.${kind}`)}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1_024}
          />
        )}
        <Text size="sm" c="var(--bad-text)" role="status">
          {said !== undefined && t(said)}
        </Text>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // The same choice must cause a change again.
            currentTarget.value = "";
            void choose(files);
          }}
        />
      </div>
    </details>
  );
}

/** The text of a list. Windows PowerShell writes UTF-16. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
}

/** What the service has found wrong with a list, or that its text is missing since the page was loaded again. */
function ListErrors({ name, index }: { name: string; index: number }) {
  const { t } = useTranslation("digests");
  const { lists, formErrors } = useForm();
  const errorText = useFormErrorText();
  const shown = visible(name);
  if (!lists.has(name)) return <Text c="var(--bad-text)">{t("again", { name: shown })}</Text>;
  return formErrors
    .filter(({ pointer }) => pointer === `/digests/${index}/text`)
    .map((formError) => {
      const { code = "", detail = "" } = formError;
      const [, line, cause = detail] = /^Line (\d+): (.+)$/.exec(detail) ?? [];
      return (
        <Text key={code} c="var(--bad-text)">
          {line === undefined ? t("ofList", { name: shown }) : t("line", { name: shown, line })}{" "}
          {errorText({ ...formError, detail: cause })}
        </Text>
      );
    });
}
