import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCaller } from "../api/service.ts";
import { useSession } from "../api/session.ts";
import { signOut } from "../api/sign-out.ts";
import classes from "./Header.module.css";

/** Who has signed in, and the way out; nothing where nobody has. */
export function Account() {
  const { t } = useTranslation("shell");
  const { session } = useSession();
  const caller = useCaller();
  if (session === undefined) return null;
  // An identity provider’s people are known by its address and a name of its own.
  const name = caller?.owner.split("#").at(-1) ?? "";
  return (
    <>
      <span className={classes.who} title={`${t("signedInAs")} ${caller?.owner ?? ""}`}>
        {name}
      </span>
      <Button variant="default" size="xs" onClick={() => void signOut()}>
        {t("signOut")}
      </Button>
    </>
  );
}
