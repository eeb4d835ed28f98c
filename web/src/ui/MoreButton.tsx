import { Center } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Fetches the next page of a list, if there is one. */
export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  const { t } = useTranslation("ui");
  if (!hasNextPage) return null;
  return (
    <Center>
      <BusyButton variant="default" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t("more")}
      </BusyButton>
    </Center>
  );
}
