#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Test pages of torus-player in Chromium, for scripts/player-check.sh.

	player_check.py DIRECTORY

The directory has the traces NAME.txt and their pages NAME.html. Prints TAP, and leaves screenshots.
"""
import collections
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tap import Tap

READY_MAX_S = 3
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--window-size=1280,1000", "--force-device-scale-factor=1")


class Browser:
    """Chromium with one page."""

    def __init__(self, directory):
        options = webdriver.ChromeOptions()
        for flag in FLAGS:
            options.add_argument(flag)
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.directory = directory

    def open(self, name):
        """Open a page; return the seconds that the browser needed until it is shown."""
        self.driver.get(f"file://{self.directory / name}.html")
        began = time.monotonic()
        while not self.driver.find_elements(By.CSS_SELECTOR, "body[data-ready]"):
            if time.monotonic() - began > 60:
                raise TimeoutError(f"{name}.html is not ready after 60 s")
        # from the start of the navigation until the next frame after the first drawing
        return self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => setTimeout(() => done(performance.now() / 1000), 0));")

    def text(self, element):
        return self.driver.find_element(By.ID, element).get_attribute("textContent")

    def counts(self, column, kinds):
        return {kind: int(self.text(f"{column}-{kind}")) for kind in kinds}

    def keys(self, *words):
        actions = ActionChains(self.driver)
        for word in words:
            actions.send_keys(word)
        actions.perform()

    def lines(self, current=True):
        selector = "#lines li[aria-current]" if current else "#lines li"
        return [item.get_attribute("textContent").rstrip()
                for item in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def tick(self):
        return int(self.text("tick").split()[1])

    def drawn(self):
        """Number of pixels of the map that are not white."""
        return self.driver.execute_script(
            "const map = document.getElementById('map');"
            "const data = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;"
            "let n = 0; for (let i = 0; i < data.length; i += 4)"
            " if (data[i + 3] && data[i] < 200) n++; return n;")

    def colours(self):
        """Check whether a pixel of the map is not grey."""
        return self.driver.execute_script(
            "const map = document.getElementById('map');"
            "const data = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;"
            "for (let i = 0; i < data.length; i += 4)"
            " if (data[i] !== data[i + 1] || data[i] !== data[i + 2]) return true; return false;")

    def problems(self):
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE"]

    def shoot(self, name):
        self.driver.save_screenshot(str(self.directory / f"{name}.png"))


class Trace:
    """The events of a trace."""

    def __init__(self, path):
        lines = [line.rstrip() for line in path.read_text().splitlines() if line[0] != "#"]
        self.events = [(int(line.split()[0]), line.split()[1], line) for line in lines]
        self.kinds = collections.Counter(kind for _, kind, _ in self.events)
        self.ticks = sorted({tick for tick, _, _ in self.events})

    def at(self, tick, condition=lambda line: True):
        return [line for when, _, line in self.events if when == tick and condition(line)]

    def until(self, tick):
        return collections.Counter(kind for when, kind, _ in self.events if when <= tick)


def check_counts(tap, browser, name, trace):
    kinds = ["inject", "route", "stall", "hop", "error", "resend", "deliver", "drop", "ack",
             "interrupt"]
    seconds = browser.open(name)
    wanted = {kind: trace.kinds[kind] for kind in kinds}
    tap.tell(browser.counts("total", kinds) == wanted, f"{name}: the counts are those of the trace",
             browser.counts("total", kinds), wanted)
    browser.keys(Keys.END)
    tap.tell(browser.counts("far", kinds) == wanted and browser.tick() == trace.ticks[-1],
             f"{name}: at the last tick all events have happened")
    middle = trace.ticks[len(trace.ticks) // 2]
    browser.driver.execute_script("show(atTick(arguments[0]))", middle)
    far = trace.until(middle)
    tap.tell(browser.counts("far", kinds) == {kind: far[kind] for kind in kinds},
             f"{name}: the counts up to tick {middle}")
    tap.tell(browser.lines() == trace.at(middle), f"{name}: the lines of tick {middle}",
             *browser.lines())
    tap.tell(browser.drawn() > 500 and not browser.colours(), f"{name}: the map is drawn in grey")
    tap.tell(browser.text("title") == f"fabric </script><b>{name}",
             f"{name}: the name of the fabric is text", browser.text("title"))
    problems = browser.problems()
    tap.tell(not problems, f"{name}: the browser reports no error", *problems)
    html = (browser.directory / f"{name}.html").read_text()
    tap.tell("http" not in html, f"{name}: the file contains no http")
    browser.shoot(name)
    return seconds


def check_keys(tap, browser, trace):
    browser.open("errors")
    ticks = trace.ticks
    tap.tell(browser.tick() == ticks[0], "the page begins at the first tick")
    for keys, at in ((Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_LEFT, 1),
                     (Keys.END, -1), (Keys.HOME, 0)):
        browser.keys(keys)
        tap.tell(browser.tick() == ticks[at], f"the key {keys!r} leads to tick {ticks[at]}",
                 browser.tick())
    ActionChains(browser.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT) \
        .key_up(Keys.SHIFT).perform()
    tap.tell(browser.tick() == ticks[10], "Shift and the right arrow: ten ticks", browser.tick())
    browser.keys(Keys.HOME, Keys.PAGE_DOWN)
    tap.tell(browser.tick() == ticks[round(len(ticks) / 10)], "Page Down: a tenth", browser.tick())
    browser.keys(Keys.HOME, "e")
    first = next(tick for tick, kind, _ in trace.events if kind in ("error", "resend", "drop"))
    tap.tell(browser.tick() == first, f"the key e leads to the first error, tick {first}")
    browser.shoot("error-tick")
    browser.keys(Keys.HOME, " ")
    began = time.monotonic()
    while browser.tick() == ticks[0] and time.monotonic() - began < 20:
        time.sleep(0.1)
    browser.keys(" ")
    stopped = browser.tick()
    time.sleep(1)
    tap.tell(browser.tick() == stopped != ticks[0] and browser.text("play") == "play",
             "space plays, and stops")
    slider = browser.driver.find_element(By.ID, "slider")
    browser.driver.execute_script(
        "arguments[0].value = 7; arguments[0].dispatchEvent(new Event('input'))", slider)
    tap.tell(browser.tick() == ticks[7], "the slider selects a tick")
    slider.send_keys(Keys.ARROW_RIGHT)
    tap.tell(browser.tick() == ticks[8], "an arrow on the slider moves by one tick", browser.tick())


def check_focus(tap, browser):
    """All controls are reached by Tab, and show that they have the focus."""
    browser.open("errors")
    seen, hidden = [], []
    for _ in range(40):
        browser.keys(Keys.TAB)
        active = browser.driver.switch_to.active_element
        name = active.get_attribute("id")
        if name and active.value_of_css_property("outline-style") == "none":
            hidden.append(name)
        if name in seen:
            break
        seen.append(name)
    wanted = {"first", "back", "play", "next", "last", "slider", "lines", "packet", "node",
              "kind-inject", "kind-interrupt", "clear"}
    tap.tell(wanted <= set(seen), "Tab reaches each control", *sorted(wanted - set(seen)))
    tap.tell(not hidden, "a control that has the focus shows it", *hidden)


def check_filters(tap, browser, trace):
    browser.open("errors")
    resend = next(line.split() for _, kind, line in trace.events if kind == "resend")
    source, number = resend[3], resend[4]

    def of_packet(line):
        return line.split()[3:5] == [source, number]

    def total(kinds=None):
        names = kinds or trace.kinds
        return sum(browser.counts("filter", names).values())

    browser.keys("p", f"{source} {number}", Keys.ENTER)
    wanted = [line for _, _, line in trace.events if of_packet(line)]
    tap.tell(total() == len(wanted) and browser.lines(False) ==
             wanted[:len(browser.lines(False))] and len(wanted) > 5,
             f"the filter selects the {len(wanted)} events of packet {number} of {source}",
             *browser.lines(False))
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    tap.tell(total() == len(trace.events), "Escape clears the filter", total())
    browser.keys("n", "1,2,3", Keys.ENTER)
    at_node = [line for _, _, line in trace.events if line.split()[2] == "1,2,3"]
    tap.tell(total() == len(at_node) > 20, "the filter selects the events of node 1,2,3", total())
    browser.keys(Keys.ESCAPE)
    for kind in trace.kinds:
        if kind != "resend":
            browser.driver.find_element(By.ID, f"kind-{kind}").send_keys(" ")
    tap.tell(total() == trace.kinds["resend"] and browser.tick() ==
             next(tick for tick, kind, _ in trace.events if kind == "resend"),
             "the filter selects the retransmissions", total())
    browser.keys(Keys.ESCAPE, "n", "9,9,9", Keys.ENTER)
    tap.tell("9,9,9" in browser.text("problem") and "coordinates" in browser.text("problem") and
             total() == len(trace.events), "a node that does not exist is reported",
             browser.text("problem"))
    browser.keys(Keys.ESCAPE, Keys.HOME, "f")
    tap.tell(browser.driver.find_element(By.ID, "packet").get_attribute("value") ==
             " ".join(trace.events[0][2].split()[3:5]), "the key f follows the first packet")
    browser.driver.find_element(By.ID, "clear").click()
    tap.tell(total() == len(trace.events), "the button clears the filter")


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    names = ("errors", "plane", "tofu", "lost", "acks", "large")
    traces = {name: Trace(directory / f"{name}.txt") for name in names}
    tap, browser = Tap(), Browser(directory)
    try:
        for name in names:
            seconds = check_counts(tap, browser, name, traces[name])
            print(f"# {name}: {len(traces[name].events)} events, {seconds:.2f} s")
        tap.tell(len(traces["large"].events) == 100000 and seconds < READY_MAX_S,
                 f"100000 events are shown within {READY_MAX_S} s", seconds)
        tap.tell("not in the record" in browser.text("lost"),
                 "the page says that events are missing", browser.text("lost"))
        check_keys(tap, browser, traces["errors"])
        check_focus(tap, browser)
        check_filters(tap, browser, traces["errors"])
    finally:
        browser.driver.quit()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
