import { Button } from "@mantine/core";
import IconFileImport from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { suggestFromBucket } from "../../api/intake.ts";
import classes from "../../metadata-form/import/Import.module.css";
import { useFillDialog } from "../../metadata-form/import/useFillDialog.tsx";
import { KeyName } from "../../ui/text/Name.tsx";
import { useForm } from "../form.ts";
import { checkOf } from "../request.ts";

/** Offers to fill the form from the metadata files that the preview has found. */
export default function BucketOffer({ files }: { files: Preview["metadataFiles"] }) {
  const { t } = useTranslation("new");
  const { draft, keys, connection } = useForm();
  const { open, dialog } = useFillDialog();
  return (
    <section className={classes.offer} aria-labelledby="bucket-offer">
      <h3 className={classes.title} id="bucket-offer">
        {t("import.offer", { count: files.length })}
      </h3>
      <p>
        {files.map(({ key }, index) => (
          <span key={key}>
            {index > 0 && ", "}
            <KeyName>{key}</KeyName>
          </span>
        ))}
      </p>
      <p className={classes.detail}>{t("import.offerDetail")}</p>
      <Button
        variant="light"
        leftSection={<IconFileImport size={18} aria-hidden />}
        disabled={connection.isStale}
        onClick={() => open(() => suggestFromBucket(checkOf(draft.dataSource, keys)))}
      >
        {t("import.fillFromBucket", { count: files.length })}
      </Button>
      {dialog}
    </section>
  );
}
