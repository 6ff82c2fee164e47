/* worker.js - decodes columns beside the page, so that it goes on answering. */
import { inflate, joinSlices, valuesOf } from "./codec.js";
import { buildPyramid, valueAt } from "./pyramid.js";

async function decode({ column, count, slices, gaps }) {
    const planes = await inflate(joinSlices(slices));
    const bits = gaps ? await inflate(joinSlices(gaps)) : null;
    return valuesOf(column, planes, bits, count);
}

/* What run B has more than run A, at the times of A within those of B. */
function difference({ timeA, valueA, timeB, valueB }) {
    const value = new Float64Array(timeA.length);
    const last = timeB[timeB.length - 1];
    for (let i = 0; i < value.length; i++) {
        const t = timeA[i];
        value[i] = t >= timeB[0] && t <= last ? valueAt(timeB, valueB, t) - valueA[i] : NaN;
    }
    return value;
}

self.onmessage = async ({ data }) => {
    try {
        const value = data.task === "difference" ? difference(data) : await decode(data);
        const levels = data.column && data.column.codec === "d64" ? null : buildPyramid(value);
        self.postMessage({ id: data.id, value, levels }, [value.buffer, ...(levels ?? []).flat().map((level) => level.buffer)]);
    } catch (fault) {
        self.postMessage({ id: data.id, fault: String(fault) });
    }
};
