import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTerm } from "../../ui/useTerm.ts";
import type { Entry } from "../entries/lists.ts";
import formClasses from "../Form.module.css";
import { type EntryProps, useEntry } from "../list/useEntry.ts";
import { EntryList } from "./EntryList.tsx";
import { BELOW } from "./fields/below.ts";
import { Group } from "./Group.tsx";
import { Part } from "./Part.tsx";
import { TermField } from "./terms/TermField.tsx";
import { DATE_TYPES } from "./terms/terms.ts";

/** Dates, periods and places. */
export function CoverageGroup() {
  const { t } = useTranslation(["new", "metadata"]);
  const term = useTerm();
  return (
    <Group name="coverage" lists={["dates", "geoLocations"]}>
      <Part title={t("metadata:lists.dates")}>
        <EntryList
          list="dates"
          nameOf={({ date, until }) => [date, until].filter((one) => one.trim() !== "").join(" – ")}
          kindOf={({ dateType }) => term("dateTypes", dateType)}
          Fields={DateFields}
          additions={[{ label: t("more.add.dates") }]}
          first="dateType"
        />
      </Part>
      <Part title={t("metadata:lists.geoLocations")}>
        <EntryList
          list="geoLocations"
          nameOf={({ geoLocationPlace }) => geoLocationPlace}
          kindOf={coordinatesOf}
          Fields={PlaceFields}
          additions={[{ label: t("more.add.geoLocations") }]}
          first=""
        />
      </Part>
    </Group>
  );
}

function DateFields(props: EntryProps<"dates">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("dates", props);
  const term = useTerm();
  return (
    <div className={formClasses.fields}>
      <TermField
        {...input("dateType")}
        terms={DATE_TYPES.map((value) => ({ value, label: term("dateTypes", value) }))}
      />
      <div className={formClasses.two}>
        <TextInput {...input("date")} {...BELOW} description={t("more.dateDetail")} />
        <TextInput {...input("until")} {...BELOW} description={t("more.untilDetail")} />
      </div>
      <TextInput {...input("dateInformation")} />
    </div>
  );
}

function PlaceFields(props: EntryProps<"geoLocations">) {
  const { t } = useTranslation("new");
  const { input } = useEntry("geoLocations", props);
  const point = (name: "pointLatitude" | "pointLongitude") => input(name, `geoLocationPoint/${name}`);
  const bound = (name: Bound) => input(name, `geoLocationBox/${name}`);
  return (
    <div className={formClasses.fields}>
      {/* The error “a place needs a name, a point or an area” refers to the entry; its first field shows it. */}
      <TextInput {...input("geoLocationPlace", "")} />
      <Part title={t("more.point")} detail={t("more.degrees")}>
        <div className={formClasses.two}>
          <TextInput {...point("pointLatitude")} />
          <TextInput {...point("pointLongitude")} />
        </div>
      </Part>
      <Part title={t("more.box")}>
        <div className={formClasses.two}>
          <TextInput {...bound("southBoundLatitude")} />
          <TextInput {...bound("northBoundLatitude")} />
          <TextInput {...bound("westBoundLongitude")} />
          <TextInput {...bound("eastBoundLongitude")} />
        </div>
      </Part>
    </div>
  );
}

type Bound = "southBoundLatitude" | "northBoundLatitude" | "westBoundLongitude" | "eastBoundLongitude";

function coordinatesOf({ pointLatitude, pointLongitude }: Entry<"geoLocations">): string {
  return [pointLatitude, pointLongitude].filter((one) => one.trim() !== "").join("; ");
}
