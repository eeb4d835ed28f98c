import { Button, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldId } from "../../metadata-form/entries/pointers.ts";
import formClasses from "../../metadata-form/Form.module.css";
import { useTextField } from "../../metadata-form/useField.ts";
import { useForm } from "../form.ts";
import classes from "../New.module.css";

/** The selection of objects in the bucket. */
export function SelectionFields() {
  const { t } = useTranslation("new");
  const { draft, setDataSource } = useForm();
  const { prefix, include, exclude, chosen, leftOut } = draft.dataSource;
  const ticked = chosen.length + leftOut.length;
  const field = useTextField();
  const isNarrowed = prefix !== "" || include !== "" || exclude !== "" || ticked > 0;
  const [isOpen, setOpen] = useState(isNarrowed);
  // Opens when a selection is copied from elsewhere; stays open when the user clears the fields.
  useEffect(() => {
    if (isNarrowed) setOpen(true);
  }, [isNarrowed]);
  const input = (name: "prefix" | "include" | "exclude") => ({
    ...field(`/selection/${name}`, t(`dataSource.${name}`), draft.dataSource[name], (value) =>
      setDataSource({ [name]: value }),
    ),
    description: t(`dataSource.${name}Detail`),
    spellCheck: false,
  });
  return (
    <details className={formClasses.fold} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("dataSource.selection")}</summary>
      <div className={formClasses.fields}>
        <TextInput {...input("prefix")} placeholder="experiment-7/" />
        <div className={formClasses.two}>
          <Textarea {...input("include")} placeholder="**.csv" rows={3} />
          <Textarea {...input("exclude")} placeholder="**/.*" rows={3} />
        </div>
        <Text size="sm" c="dimmed">
          {t("dataSource.patterns")}
        </Text>
        {ticked > 0 && (
          <div className={classes.ticked} id={fieldId("/selection")} tabIndex={-1}>
            <span>{t("dataSource.ticked", { count: ticked })}</span>
            <Button variant="subtle" size="compact-sm" onClick={() => setDataSource({ chosen: [], leftOut: [] })}>
              {t("dataSource.untick")}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}
