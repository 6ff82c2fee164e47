/* embed.c - embeds styles and programs of pages, which node bundles when Tenon is built */
#include "report.h"

#define EMBED(name, path)                                                                         \
    __asm__(".section .rodata\n.global " #name "\n.hidden " #name "\n" #name ":\n.incbin \"" path \
            "\"\n.global " #name "_end\n.hidden " #name "_end\n" #name "_end:\n.byte 0\n.previous\n")

EMBED(tn_page_style, TN_PAGE_FOLDER "/page.css");
EMBED(tn_page_program, TN_PAGE_FOLDER "/page.js");
EMBED(tn_study_style, TN_PAGE_FOLDER "/study.css");
EMBED(tn_study_program, TN_PAGE_FOLDER "/study.js");
