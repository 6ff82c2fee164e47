/* events.js - listeners to what happens on a page, by the names of events. */

const listeners = new Map();
export const on = (event, listener) => {
    if (!listeners.has(event)) listeners.set(event, []);
    listeners.get(event).push(listener);
};
export const emit = (event, value) => (listeners.get(event) ?? []).forEach((listener) => listener(value));
