import { Button, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldId } from "../../metadata-form/entries/pointers.ts";
import formClasses from "../../metadata-form/Form.module.css";
import { useField } from "../../metadata-form/useField.ts";
import { useForm } from "../form.ts";
import classes from "../New.module.css";

/** The selection of objects in the bucket. */
export function SelectionFields() {
  const { t } = useTranslation("new");
  const { draft, setDataSource } = useForm();
  const { prefix, include, exclude, chosen, leftOut } = draft.dataSource;
  const ticked = chosen.length + leftOut.length;
  const field = useField();
  const isNarrowed = prefix !== "" || include !== "" || exclude !== "" || ticked > 0;
  const [isOpen, setOpen] = useState(isNarrowed);
  // Opens when a selection is copied from elsewhere; stays open when the user clears the fields.
  useEffect(() => {
    if (isNarrowed) setOpen(true);
  }, [isNarrowed]);
  const common = { autoComplete: "off", spellCheck: false };
  return (
    <details className={formClasses.fold} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("dataSource.selection")}</summary>
      <div className={formClasses.fields}>
        <TextInput
          {...field("/selection/prefix")}
          {...common}
          label={t("dataSource.prefix")}
          description={t("dataSource.prefixDetail")}
          placeholder="experiment-7/"
          value={prefix}
          onChange={({ currentTarget }) => setDataSource({ prefix: currentTarget.value })}
        />
        <div className={formClasses.two}>
          <Textarea
            {...field("/selection/include")}
            {...common}
            label={t("dataSource.include")}
            description={t("dataSource.includeDetail")}
            placeholder="**.csv"
            rows={3}
            value={include}
            onChange={({ currentTarget }) => setDataSource({ include: currentTarget.value })}
          />
          <Textarea
            {...field("/selection/exclude")}
            {...common}
            label={t("dataSource.exclude")}
            description={t("dataSource.excludeDetail")}
            placeholder="**/.*"
            rows={3}
            value={exclude}
            onChange={({ currentTarget }) => setDataSource({ exclude: currentTarget.value })}
          />
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
