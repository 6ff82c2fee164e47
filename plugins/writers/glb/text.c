/* text.c - growing text with strings of JSON */
#include "glb.h"

void glb_print(glb_text *to, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || to->lacks_memory ||
        !TN_MAKE_ROOM(to->text, to->room, to->length + (size_t)length + 1)) {
        to->lacks_memory = true;
    } else {
        (void)vsnprintf(to->text + to->length, (size_t)length + 1, format, again);
        to->length += (size_t)length;
    }
    va_end(again);
}

/* Appends a string of JSON, in quotes. */
void glb_quote(glb_text *to, const char *text, size_t length)
{
    to->lacks_memory = to->lacks_memory || !TN_MAKE_ROOM(to->text, to->room, to->length + 6 * length + 3);
    if (to->lacks_memory) return;
    char *at = to->text + to->length;
    *at++ = '"';
    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)text[k];
        if (c < 0x20) {
            at += snprintf(at, 7, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\') *at++ = '\\';
        *at++ = (char)c;
    }
    *at++ = '"';
    *at = 0;
    to->length = (size_t)(at - to->text);
}
