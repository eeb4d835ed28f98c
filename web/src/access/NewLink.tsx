import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../ui/CopyButton.tsx";
import classes from "./Access.module.css";

/** Shows the link of a new grant, once. */
export function NewLink({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation("access");
  const { t: ui } = useTranslation("ui");
  return (
    <Stack>
      <Text role="status">{t("newLink.detail")}</Text>
      <div className={classes.link}>
        <code>{url}</code>
        <CopyButton text={url} what={t("manage.link")} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {ui("close")}
        </Button>
      </Group>
    </Stack>
  );
}
