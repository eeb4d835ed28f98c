import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useFormats } from "../../ui/text/format.ts";
import classes from "./Rate.module.css";

interface Props {
  rates: readonly { at: number; rate: number }[];
  /** The same as text, for screen readers. */
  name: string;
}

const HEIGHT = 160;
/** Seconds between two words of the lower axis. */
const TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400];

/** Rate over time as a filled line. It does not move but for the data. */
export default function RateChart({ rates, name }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const { bytes } = useFormats();
  const { language } = useTranslation().i18n;
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and texts are part of the drawing, so a change requires a new one.
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const made = new uPlot(optionsFor(box, bytes, language), [[], []], box);
    chart.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height: HEIGHT }));
    resize.observe(box);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, [language, scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new chart needs its data.
  useEffect(() => {
    chart.current?.setData([rates.map(({ at }) => at / 1000), rates.map(({ rate }) => rate)]);
  }, [rates, language, scheme]);
  return <div ref={place} role="img" aria-label={name} className={classes.plot} />;
}

/** Colours are those that the style sheet gives the box. */
function optionsFor(box: HTMLElement, bytes: (value: number) => string, language: string): uPlot.Options {
  const { color, borderTopColor, outlineColor, backgroundColor, fontFamily } = getComputedStyle(box);
  const clock = new Intl.DateTimeFormat(language, { timeStyle: "medium", hourCycle: "h23" });
  const axis = { stroke: outlineColor, font: `12px ${fontFamily}`, ticks: { show: false } };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    padding: [8, 32, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 110,
        incrs: TIMES,
        values: (_, at) => at.map((one) => clock.format(one * 1000)),
      },
      {
        ...axis,
        grid: { stroke: borderTopColor, width: 1 },
        size: 84,
        space: 40,
        incrs: binarySteps(),
        values: (_, rates) => rates.map((rate) => `${bytes(rate)}/s`),
      },
    ],
    series: [{}, { stroke: color, fill: backgroundColor, width: 2, points: { show: false } }],
  };
}

/** Steps of the axis that are round in binary units. */
function binarySteps(): number[] {
  return Array.from({ length: 6 }, (_, power) =>
    [1, 2, 5, 10, 20, 50, 100, 200, 500].map((one) => one * 1024 ** power),
  ).flat();
}
