// Days and their puzzles' numbers, wherever one is: days.js.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clockText, dayOf, dayText, isDay, today, untilTomorrow } from "../../src/sleuth/web/static/js/days.js";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/Los_Angeles",
  "Asia/Kolkata",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];
const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("the first day has number 0, and the day is that on the wall", () => {
  for (const TZ of ZONES) {
    process.env.TZ = TZ;
    assert.equal(today(new Date(2025, 0, 1)), 0, TZ);
    assert.equal(today(new Date(2025, 0, 1, 23, 59, 59)), 0, TZ);
    assert.equal(today(new Date(2025, 0, 2)), 1, TZ);
    assert.equal(today(new Date(2024, 11, 31, 12)), -1, TZ);
    assert.equal(today(new Date(2026, 0, 1)), 365, TZ);
  }
});

test("days are counted as the server does", () => {
  const numbers = [
    [2026, 1, 28],
    [2028, 1, 29],
    [2028, 2, 1],
    [2125, 0, 1],
  ].map((day) => today(new Date(...day, 23, 59)));
  assert.deepEqual(numbers, [423, 1154, 1155, 36524]);
});

test("one moment is another day elsewhere", () => {
  const moment = new Date(Date.UTC(2025, 5, 1, 11));
  const numbers = ["Pacific/Pago_Pago", "UTC", "Pacific/Kiritimati"].map((TZ) => {
    process.env.TZ = TZ;
    return today(moment);
  });
  assert.deepEqual(numbers, [151, 151, 152]);
  process.env.TZ = "Pacific/Pago_Pago";
  assert.equal(today(new Date(Date.UTC(2025, 5, 1, 10, 59))), 150);
});

test("numbers go up by one a day over a whole leap year, also where clocks change", () => {
  for (const TZ of ZONES) {
    process.env.TZ = TZ;
    const start = today(new Date(2028, 0, 1));
    for (let day = 0; day < 366; day += 1) {
      assert.equal(today(new Date(2028, 0, 1 + day, 0, 0, 1)), start + day);
      assert.equal(today(new Date(2028, 0, 1 + day, 23, 59)), start + day);
    }
  }
});

test("a number leads to its day and back", () => {
  for (const TZ of ZONES) {
    process.env.TZ = TZ;
    for (let number = -400; number < 1200; number += 7) assert.equal(today(dayOf(number)), number, TZ);
    assert.equal(dayOf(0).getHours(), 12);
  }
});

test("days are written in four forms", () => {
  for (const TZ of ZONES) {
    process.env.TZ = TZ;
    assert.equal(dayText(0), "1 January 2025");
    assert.equal(dayText(0, "short"), "1 Jan 2025");
    assert.equal(dayText(0, "month"), "January 2025");
    assert.match(dayText(0, "full"), /^Wednesday,? 1 January 2025$/);
    assert.equal(dayText(365 + 31 + 28), "1 March 2026");
  }
});

test("a day that has not come is none", () => {
  assert.ok(isDay(today()));
  assert.ok(isDay(0));
  assert.ok(!isDay(today() + 1));
});

test("what is left of a day is an hour less or more where clocks change", () => {
  const HOUR = 3_600_000;
  process.env.TZ = "Europe/Berlin";
  assert.equal(untilTomorrow(new Date(2025, 5, 1)), 24 * HOUR);
  assert.equal(untilTomorrow(new Date(2025, 2, 30)), 23 * HOUR);
  assert.equal(untilTomorrow(new Date(2025, 9, 26)), 25 * HOUR);
  assert.equal(untilTomorrow(new Date(2025, 11, 31, 23, 59, 59)), 1000);
});

test("a time left is hours, minutes and seconds, the last second until it is over", () => {
  assert.equal(clockText(0), "00:00:00");
  assert.equal(clockText(-5), "00:00:00");
  assert.equal(clockText(1), "00:00:01");
  assert.equal(clockText(59_001), "00:01:00");
  assert.equal(clockText(3_599_000), "00:59:59");
  assert.equal(clockText(25 * 3_600_000), "25:00:00");
});
