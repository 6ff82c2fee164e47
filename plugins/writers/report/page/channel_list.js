/* channel_list.js - all channels, by sensor: to plot. */
import { on } from "./app.js";
import { anyChannel, names } from "./columns.js";
import { el } from "./dom.js";

export class ChannelList {
    constructor(place, plots) {
        this.plots = plots;
        this.boxes = new Map();
        this.groups = [];
        const filter = el("input.filter", {
            type: "search",
            placeholder: `Filter ${names.length} channels`,
            "aria-label": "Filter channels",
            oninput: () => this.find(filter.value),
        });
        place.append(filter, el("p.hint", {}, "Channels of one sensor share a plot; with Shift, so do those of one unit."));
        const energies = names.filter((name) => anyChannel(name).unit === "J");
        if (energies.length)
            place.append(
                el(
                    "div.row.buttons",
                    {},
                    el(
                        "button",
                        {
                            type: "button",
                            onclick: () =>
                                plots.show([
                                    ...plots.lists().filter((list) => !list.some((name) => energies.includes(name))),
                                    energies,
                                ]),
                        },
                        "Energy account",
                    ),
                ),
            );
        const bySensor = new Map();
        for (const name of names) {
            const key = anyChannel(name).sensor || name;
            if (!bySensor.has(key)) bySensor.set(key, []);
            bySensor.get(key).push(name);
        }
        for (const [sensor, members] of bySensor) place.append(this.group(sensor, members));
        on("panes", () => this.marks());
    }

    group(sensor, members) {
        const rows = members.map((name) =>
            this.row(name, members.length > 1 ? name.slice(name.startsWith(sensor + ".") ? sensor.length + 1 : 0) : name),
        );
        const node =
            members.length > 1
                ? el(
                      "details.sensor",
                      { open: members.length <= 4 },
                      el("summary", {}, sensor, el("span.type", {}, anyChannel(members[0]).quantity)),
                      ...rows,
                  )
                : el("div.sensor", {}, ...rows);
        this.groups.push({ node, members, rows });
        return node;
    }

    row(name, label) {
        const channel = anyChannel(name);
        const box = el("input", { type: "checkbox", onclick: (event) => this.plots.toggle(name, event.shiftKey) });
        this.boxes.set(name, box);
        return el(
            "label.channel",
            { title: [channel.quantity, channel.description].filter(Boolean).join(": ") },
            box,
            el("span.label", {}, label),
            el("span.unit", {}, channel.unit),
        );
    }

    find(text) {
        const wanted = text.trim().toLowerCase();
        for (const { node, members, rows } of this.groups) {
            rows.forEach((row, k) => (row.hidden = !members[k].toLowerCase().includes(wanted)));
            node.hidden = rows.every((row) => row.hidden);
        }
    }

    marks() {
        for (const [name, box] of this.boxes) box.checked = this.plots.has(name);
    }
}
