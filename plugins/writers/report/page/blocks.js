/* blocks.js - the head of the page, and the bytes to which it refers. Blocks are decoded from base64 when they are needed. */

export const head = JSON.parse(document.getElementById("head").textContent);

const texts = [];
function blockText(number) {
    if (texts[number] === undefined) texts[number] = document.getElementById("b" + number).textContent;
    return texts[number];
}

/* The slices of base64 that hold `bytes` bytes from `at`; what has come later has a store of its own. */
export function slicesOf({ at, bytes, store }) {
    const slices = [];
    if (store !== undefined) {
        const start = Math.floor(at / 3);
        return [{ text: store.slice(4 * start, 4 * Math.ceil((at + bytes) / 3)), skip: at - 3 * start, take: bytes }];
    }
    while (bytes > 0) {
        const number = Math.floor(at / head.block),
            from = at - number * head.block;
        const take = Math.min(bytes, head.block - from),
            start = Math.floor(from / 3);
        const text = blockText(number).slice(4 * start, 4 * Math.ceil((from + take) / 3));
        slices.push({ text, skip: from - 3 * start, take });
        at += take;
        bytes -= take;
    }
    return slices;
}
