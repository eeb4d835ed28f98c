import { useTranslation } from "react-i18next";
import { Help } from "../../ui/CommandHelp.tsx";

const PROVIDERS = ["aws", "ceph", "minio", "centre"] as const;

/** Explains a field of the data source, and where each storage provider shows its value. */
export function StorageHelp({ about }: { about: "endpoint" | "bucket" | "keys" }) {
  const { t } = useTranslation("new");
  return (
    <Help question={t(`help.${about}.question`)}>
      <p>{t(`help.${about}.what`)}</p>
      {about !== "bucket" && (
        <dl>
          {PROVIDERS.map((provider) => (
            <div key={provider}>
              <dt>{t(`help.names.${provider}`)}</dt>
              <dd>{t(`help.${about}.where.${provider}`)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Help>
  );
}
