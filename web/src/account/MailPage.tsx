import { NativeSelect, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCaller, useQueryState } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { RadioChoice } from "../ui/RadioChoice.tsx";
import { Section } from "../ui/Section.tsx";
import { visible } from "../ui/text/format.ts";
import { LANGUAGES } from "../words/words.ts";
import { type MailChoice, type MailPreference, mailPreferenceQuery, useSaveMailPreference } from "./mail-preference.ts";
import "./words.ts";

const DELIVERIES = ["each", "daily", "action"] as const satisfies readonly MailChoice["delivery"][];

/** Where e-mail to the user goes, in which language, and about what. */
export default function MailPage() {
  const { t } = useTranslation("account");
  const found = useQuery(mailPreferenceQuery);
  const trouble = useQueryState(found);
  return (
    <Stack gap="xl" maw="40rem">
      <PageHeading title={t("mail", { ns: "shell" })} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {found.data === undefined && trouble === undefined && <Skeleton height={360} aria-hidden />}
      {found.data !== undefined && <Settings preference={found.data} />}
    </Stack>
  );
}

function Settings({ preference }: { preference: MailPreference }) {
  const { t } = useTranslation("account");
  if (preference.serviceLanguage === null) {
    return (
      <Stack gap="xs">
        <Text fw={650}>{t("off.title")}</Text>
        <Text>{t("off.detail")}</Text>
      </Stack>
    );
  }
  return (
    <>
      <Where preference={preference} />
      <ChoiceForm preference={preference} serviceLanguage={preference.serviceLanguage} />
    </>
  );
}

/** The addresses to which e-mail goes, or what to do if there is none. */
function Where({ preference: { address, reachesCurators } }: { preference: MailPreference }) {
  const { t } = useTranslation("account");
  const isCurator = useCaller()?.roles.includes("curator") === true;
  const shared = address === null ? "where.curatorsShared" : "where.curators";
  return (
    <Section title={t("where.title")}>
      {address === null ? (
        <>
          <Text>{t("where.none")}</Text>
          <Text>{t("where.noneNext")}</Text>
        </>
      ) : (
        <>
          <Text>
            {t("where.address")}{" "}
            <Text span fw={550} style={{ overflowWrap: "anywhere" }}>
              <bdi>{visible(address)}</bdi>
            </Text>
          </Text>
          <Text>{t("where.addressHint")}</Text>
        </>
      )}
      {isCurator && <Text>{t(reachesCurators ? shared : "where.curatorsNone")}</Text>}
    </Section>
  );
}

interface FormProps {
  preference: MailPreference;
  serviceLanguage: keyof typeof LANGUAGES;
}

function ChoiceForm({ preference, serviceLanguage }: FormProps) {
  const { t } = useTranslation("account");
  const [language, setLanguage] = useState(preference.language);
  const [delivery, setDelivery] = useState(preference.delivery);
  const { mutate, isPending, isSuccess, error, reset } = useSaveMailPreference();
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ language, delivery });
  };
  return (
    <form onSubmit={save}>
      <Stack gap="lg" align="flex-start">
        <NativeSelect
          label={t("language.label")}
          value={language ?? ""}
          onChange={({ currentTarget: { value } }) => {
            reset();
            setLanguage(value === "en" || value === "de" ? value : null);
          }}
          data={[
            { value: "", label: t("language.service", { language: LANGUAGES[serviceLanguage] }) },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
        />
        <RadioChoice
          label={t("delivery.label")}
          choices={DELIVERIES.map((value) => ({
            value,
            label: t(`delivery.${value}`),
            description: t(`delivery.${value}Means`),
          }))}
          value={delivery}
          onChange={(value) => {
            reset();
            setDelivery(value);
          }}
        />
        {error !== null && <ProblemAlert error={error} />}
        <BusyButton type="submit" isBusy={isPending}>
          {t("save")}
        </BusyButton>
        <div role="status">{isSuccess && <Text>{t("saved")}</Text>}</div>
      </Stack>
    </form>
  );
}
