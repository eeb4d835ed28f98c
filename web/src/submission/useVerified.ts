import { useTranslation } from "react-i18next";
import type { File } from "../api/submission-files.ts";

/** Gives what a file was checked by, in words; a dash before it was. */
export function useVerified(): (file: File) => string {
  const { t } = useTranslation("submission");
  return ({ verifiedBy, verifiedWith }) =>
    verifiedBy === null ? "–" : t(`files.verified.${verifiedBy}`, { with: verifiedWith ?? "" }).trim();
}
