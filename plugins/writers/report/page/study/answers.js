/* answers.js - what has come of the study: counts of statuses, reasons, and what the design has found. */
import { el, number, withUnit } from "../dom.js";
import { head, isSentence, table } from "./data.js";
import { pick, state } from "./state.js";

/* The number of a case, which picks it where the page has it. */
function caseLink(wanted) {
    const row = table.byNumber.get(wanted);
    if (row === undefined) return String(wanted);
    return el("button.link", { type: "button", onclick: () => pick(row) }, String(wanted));
}

export function countsPanel(place, showStatus) {
    place.append(
        el("h2", {}, "Cases"),
        el(
            "table.pairs",
            {},
            el(
                "tbody",
                {},
                ...head.statuses.map(({ name, count }) =>
                    el(
                        "tr." + name,
                        {},
                        el(
                            "th",
                            { scope: "row" },
                            el("button.link", { type: "button", onclick: () => ((state.status = name), showStatus()) }, name),
                        ),
                        el("td", {}, number(count, 12)),
                    ),
                ),
                el("tr", {}, el("th", { scope: "row" }, "processor time"), el("td", {}, withUnit(head.effort, "s", 4))),
                el("tr", {}, el("th", { scope: "row" }, "page made"), el("td", {}, head.made)),
            ),
        ),
    );
    if (head.rows.count < head.cases)
        place.append(
            el(
                "p.notes",
                {},
                `This page has ${head.rows.count} of ${head.cases} cases: a random choice, with all that the answers name and all that ` +
                    "were the least or greatest so far of a response. Counts and answers are those of all cases.",
            ),
        );
    const bad = head.reasons.filter(({ status }) => status !== "ok"),
        warned = head.reasons.filter(({ status }) => status === "ok");
    if (bad.length) place.append(el("h3", {}, "Why cases have not come through"), reasonTable(bad));
    if (warned.length) place.append(el("h3", {}, "Warnings of cases that are ok"), reasonTable(warned));
}

function reasonTable(list) {
    return el(
        "table.grid.reasons",
        {},
        el("thead", {}, el("tr", {}, ...["cases", "status", "first", "reason"].map((text) => el("th", { scope: "col" }, text)))),
        el(
            "tbody",
            {},
            ...list.map(({ status, text, count, first }) =>
                el(
                    "tr." + status,
                    {},
                    el("td.number", {}, String(count)),
                    el("td", {}, status),
                    el("td.number", {}, caseLink(first)),
                    el("td", {}, text),
                ),
            ),
        ),
    );
}

const valueOf = (one) => one.text ?? ("value" in one ? withUnit(one.value, one.unit ?? "", 6) : "");
const intervalOf = (one) => ("low" in one && "high" in one ? `${number(one.low, 4)} to ${withUnit(one.high, one.unit ?? "", 4)}` : "");

export function answersPanel(place) {
    const sentences = head.answers.filter(isSentence),
        numbers = head.answers.filter((one) => !isSentence(one));
    place.append(el("h2", {}, "Answers"));
    if (!head.answers.length)
        place.append(el("p.empty", {}, "This design answers nothing, or not yet: answers come at the end of a study."));
    place.append(...sentences.map((one) => el("p.sentence." + one.name, {}, one.text)));
    if (!numbers.length) return;
    const subject = (one) => [one.response, one.variable, one.other].filter(Boolean).join(", ");
    place.append(
        el(
            "table.grid.answers",
            {},
            el("thead", {}, el("tr", {}, ...["answer", "of", "value", "95 %", "case"].map((text) => el("th", { scope: "col" }, text)))),
            el(
                "tbody",
                {},
                ...numbers
                    .slice(0, 2000)
                    .map((one) =>
                        el(
                            "tr",
                            {},
                            el("td", {}, one.name),
                            el("td", {}, subject(one)),
                            el("td.number", {}, valueOf(one)),
                            el("td.number", {}, intervalOf(one)),
                            el("td.number", {}, one.number >= 0 ? caseLink(one.number) : ""),
                        ),
                    ),
            ),
        ),
    );
    if (numbers.length > 2000)
        place.append(el("p.hint", {}, `The first 2000 of ${numbers.length} answers; answers.txt and the database have all.`));
}
