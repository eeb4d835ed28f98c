import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import { useService } from "../api/service.ts";
import { Copyable } from "./CopyButton.tsx";
import helpClasses from "./Help.module.css";

/** The commands of docs/how-to/own-bucket.md; a test compares the two. */
const INSTALL = `mkdir -p ~/.local/bin
cat > ~/.local/bin/accession <<END
#!/bin/sh
exec "$PWD/node_modules/.bin/node" "$PWD/src/cli/accession.ts" "\\$@"
END
chmod +x ~/.local/bin/accession`;

/** How to install the command-line tool and set the address of this service. */
export function CommandHelp() {
  const { t } = useTranslation("ui");
  const signsIn = useService()?.signIn.method !== "none";
  const lines = [
    `export ACCESSION_URL=${SERVICE_URL.replace(/\/$/, "")}`,
    ...(signsIn ? ["export ACCESSION_TOKEN_FILE=~/accession-token"] : []),
  ];
  return (
    <Help question={t("cli.question")}>
      <p>{t("cli.what")}</p>
      <ol>
        <li>{t("cli.source")}</li>
        <li>
          {t("cli.packages")} <Copyable text="npm ci" what={t("cli.command")} />
        </li>
        <li>
          {t("cli.install")} <Copyable text={INSTALL} what={t("cli.command")} />
        </li>
        <li>
          {t(signsIn ? "cli.settingsToken" : "cli.settings")}{" "}
          <Copyable text={lines.join("\n")} what={t("cli.command")} />
        </li>
      </ol>
    </Help>
  );
}

/** A question that expands to its answer. Explains a field that some users do not know. */
export function Help({ question, children }: { question: string; children: ReactNode }) {
  return (
    <details className={helpClasses.help}>
      <summary>
        <IconHelpCircle size={16} aria-hidden />
        <span>{question}</span>
      </summary>
      <div className={helpClasses.answer}>{children}</div>
    </details>
  );
}
