import { useTranslation } from "react-i18next";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** Why one is asked to sign in again. */
export function EndedNotice() {
  const { t } = useTranslation("sign-in");
  return <TroubleAlert tone="warn" trouble={{ title: t("ended") }} />;
}
