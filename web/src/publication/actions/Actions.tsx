import { Group } from "@mantine/core";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Publication, PublicationAction } from "../../api/publications.ts";
import { useCaller, useService } from "../../api/service.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { AccessForm } from "./AccessFields.tsx";
import { ActionError, useActionForm } from "./ActionForm.tsx";
import { AssignForm } from "./AssignForm.tsx";
import { DECISIONS, DecisionForm } from "./DecisionForm.tsx";
import { RequestForm } from "./RequestForm.tsx";
import "../words.ts";

/** The actions with buttons, in the order of the buttons; the first one that is possible is emphasized. */
const BUTTONS = [
  "request",
  "approve",
  "publish",
  "request-changes",
  "decline",
  "assign",
  "change-access",
  "take-back",
  "reserve-doi",
  "withdraw",
] as const satisfies readonly PublicationAction[];
type ButtonName = (typeof BUTTONS)[number];

/** The actions that are emphasized. */
const FIRST: readonly ButtonName[] = ["request", "approve", "publish"];

/** Buttons for what the user can do now, and their dialogs. */
export function Actions({ publication, onDone }: { publication: Publication; onDone: () => void }) {
  const { t } = useTranslation("publication");
  const [open, setOpen] = useState<ButtonName>();
  const wordsOf = useActionWords(publication);
  const mode = useService()?.publication;
  const direct = useActionForm(publication, { isCurrent: true, onDone });
  const me = useCaller()?.owner;
  const { actions, state, assignee } = publication;
  const possible = BUTTONS.filter((name) => actions.includes(name)).filter(
    // The service tries again automatically; the button is for a cause that was corrected.
    (name) => name !== "publish" || state === "approved" || publication.isDelayed,
  );
  const close = () => setOpen(undefined);
  const props = {
    publication,
    onClose: close,
    onDone: () => {
      close();
      onDone();
    },
  };
  const maySelf = actions.includes("assign") && me !== undefined && assignee !== me;
  const press = (name: ButtonName) => {
    if (name === "publish" && state === "registering") direct.send({ action: "publish", body: {} });
    else if (name === "reserve-doi") direct.send({ action: "reserve-doi", body: {} });
    else setOpen(name);
  };
  return (
    <>
      {possible.length > 0 && (
        <Group gap="sm" role="group" aria-label={t("actions.title")}>
          {possible.map((name) => (
            <Fragment key={name}>
              {name === "assign" && maySelf && (
                <BusyButton
                  variant="default"
                  isBusy={direct.isBusy}
                  onClick={() => direct.send({ action: "assign", body: { curator: me } })}
                >
                  {t("actions.assignSelf")}
                </BusyButton>
              )}
              <BusyButton
                variant={FIRST.includes(name) && name === possible[0] ? "filled" : "default"}
                isBusy={(name === "publish" || name === "reserve-doi") && direct.isBusy}
                onClick={() => press(name)}
              >
                {wordsOf(name)}
              </BusyButton>
            </Fragment>
          ))}
        </Group>
      )}
      <ActionError error={direct.error} publication={publication} />
      {/* Rendered also while they are closed, so that the focus returns to the buttons that opened them. */}
      <Dialog
        isOpen={open === "request"}
        title={t(mode === "direct" ? "decision.publish.title" : "actions.request")}
        size="lg"
        isGrowing
        onClose={close}
      >
        <RequestForm {...props} submit={t(mode === "direct" ? "actions.publish" : "actions.request")} />
      </Dialog>
      <Dialog isOpen={open === "assign"} title={t("assign.title")} onClose={close}>
        <AssignForm {...props} submit={t("assign.submit")} />
      </Dialog>
      <Dialog isOpen={open === "change-access"} title={t("changeAccess.title")} isGrowing onClose={close}>
        <AccessForm {...props} submit={t("changeAccess.title")} />
      </Dialog>
      {DECISIONS.map((decision) => (
        <Dialog key={decision} isOpen={open === decision} title={t(`decision.${decision}.title`)} onClose={close}>
          <DecisionForm {...props} decision={decision} submit={wordsOf(decision)} />
        </Dialog>
      ))}
    </>
  );
}

/** Gives the label of a button. */
function useActionWords({ state, history }: Publication): (name: ButtonName) => string {
  const { t } = useTranslation("publication");
  const mode = useService()?.publication;
  return (name) => {
    if (name === "request" && mode === "direct") return t("actions.publish");
    if (name === "request" && history.some(({ action }) => action === "request")) return t("actions.requestAgain");
    if (name === "take-back" && state === "approved") return t("actions.takeApprovalBack");
    if (name === "publish" && state === "registering") return t("actions.tryAgain");
    return t(`actions.${name}`);
  };
}
