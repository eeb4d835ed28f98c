import { Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useForm } from "../form.ts";
import classes from "../New.module.css";
import { useField } from "../useField.ts";

/** Which objects of the bucket are wanted, where not all are. */
export function SelectionFields() {
  const { t } = useTranslation("new");
  const { draft, setWhere } = useForm();
  const { prefix, include, exclude } = draft.where;
  const field = useField();
  const isNarrowed = prefix !== "" || include !== "" || exclude !== "";
  const [isOpen, setOpen] = useState(isNarrowed);
  // What is taken over from elsewhere is shown; what is emptied again stays under one's fingers.
  useEffect(() => {
    if (isNarrowed) setOpen(true);
  }, [isNarrowed]);
  const common = { autoComplete: "off", spellCheck: false };
  return (
    <details className={classes.fold} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("where.selection")}</summary>
      <div className={classes.fields}>
        <TextInput
          {...field("/selection/prefix")}
          {...common}
          label={t("where.prefix")}
          description={t("where.prefixDetail")}
          placeholder="experiment-7/"
          value={prefix}
          onChange={({ currentTarget }) => setWhere({ prefix: currentTarget.value })}
        />
        <div className={classes.two}>
          <Textarea
            {...field("/selection/include")}
            {...common}
            label={t("where.include")}
            description={t("where.includeDetail")}
            placeholder="**.csv"
            rows={3}
            value={include}
            onChange={({ currentTarget }) => setWhere({ include: currentTarget.value })}
          />
          <Textarea
            {...field("/selection/exclude")}
            {...common}
            label={t("where.exclude")}
            description={t("where.excludeDetail")}
            placeholder="**/.*"
            rows={3}
            value={exclude}
            onChange={({ currentTarget }) => setWhere({ exclude: currentTarget.value })}
          />
        </div>
        <Text size="sm" c="dimmed">
          {t("where.patterns")}
        </Text>
      </div>
    </details>
  );
}
