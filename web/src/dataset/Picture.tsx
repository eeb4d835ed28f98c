import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Preview.module.css";

/** A picture from memory; words where the browser cannot read it. */
export function Picture({ picture, name }: { picture: Blob; name: string }) {
  const { t } = useTranslation("dataset");
  const [url, setUrl] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  if (isBroken) return <p className={classes.none}>{t("preview.broken")}</p>;
  return (
    <div className={classes.frame}>
      {url !== undefined && (
        <img src={url} alt={t("preview.of", { name })} className={classes.picture} onError={() => setBroken(true)} />
      )}
    </div>
  );
}
