import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconSun from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";
import { useTranslation } from "react-i18next";

/** Changes between light and dark. Whoever goes back to what their system has follows it again. */
export function ColourSwitch() {
  const { t } = useTranslation("shell");
  const { setColorScheme } = useMantineColorScheme();
  const present = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const isSystemDark = useMediaQuery("(prefers-color-scheme: dark)", undefined, { getInitialValueInEffect: false });
  const other = present === "dark" ? "light" : "dark";
  const words = other === "dark" ? t("toDark") : t("toLight");
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={words}
      title={words}
      onClick={() => setColorScheme((other === "dark") === isSystemDark ? "auto" : other)}
    >
      {other === "dark" ? <IconMoon size={20} aria-hidden /> : <IconSun size={20} aria-hidden />}
    </ActionIcon>
  );
}
