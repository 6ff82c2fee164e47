/* expression.h - one text for the parser of expressions; aborts where what comes out is not consistent. */
#ifndef TN_FUZZ_EXPRESSION_H
#define TN_FUZZ_EXPRESSION_H

#include <stddef.h>
#include <stdint.h>

/* The name is that of libFuzzer's entry. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *text, size_t length);

#endif
