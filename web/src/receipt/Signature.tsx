import { Anchor, Stack } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { KEYS_URL } from "../api/receipt.ts";
import type { Signature as Found } from "../api/verify-signature.ts";
import { CommandHelp } from "../ui/CommandHelp.tsx";
import { Copyable } from "../ui/CopyButton.tsx";
import { Part } from "./Part.tsx";
import classes from "./Receipt.module.css";

const TONES = {
  holds: "good",
  broken: "bad",
  "unknown-key": "bad",
  unsupported: "warn",
  "no-receipt": "bad",
} as const satisfies Record<Found["state"], string>;

interface Props {
  /** Undefined during verification. */
  signature: Found | undefined;
  error: Error | null;
  submission: string;
}

/** Whether the signature is valid, which key verified it, and how to verify it without this service. */
export function Signature({ signature, error, submission }: Props) {
  const { t } = useTranslation("receipt");
  const command = `accession receipt verify receipt-${submission}.jws --jwks jwks.json`;
  const tone = signature === undefined ? "warn" : TONES[signature.state];
  return (
    <Part title={t("signature.title")}>
      <Stack role="status" gap="0.625rem">
        {signature === undefined ? (
          <p>{t(error === null ? "signature.checking" : "signature.failed")}</p>
        ) : (
          <>
            <p className={classes.verdict} data-tone={tone}>
              {t(`signature.${signature.state}`)}
            </p>
            <p>{t(`signature.${signature.state}Detail`, { kid: signature.kid ?? "", url: KEYS_URL })}</p>
          </>
        )}
      </Stack>
      <p>
        <Trans
          t={t}
          i18nKey="signature.independent"
          components={{ keys: <Anchor href={KEYS_URL} download="jwks.json" underline="always" /> }}
        />
      </p>
      <Copyable text={command} what={t("command", { ns: "ui" })} />
      <CommandHelp />
    </Part>
  );
}
