/* study_page.c - the study writer study_page: a page of a study for any browser */
#include "study.h"

#define STUDY_PAGE(P)                                                                                    \
    P(TEXT, title, 0, "title of the page; default: the name of the study")                               \
    P(INTEGER, rows, 0, 20000, 100, 1e6,                                                                 \
      "most cases on the page; of more it has a random choice, with all that answers name and all that " \
      "were the least or greatest so far of a response")

TN_PARAMETERS(study_page, STUDY_PAGE)

static void put_counts(tn_bytes *json, const tn_study_results *results)
{
    tn_put(json, ",\"cases\":%llu,\"effort\":", (unsigned long long)results->cases);
    tn_put_number(json, results->effort);
    tn_put(json, ",\"statuses\":[");
    for (uint32_t k = 0; k < results->statuses; k++) {
        tn_put(json, "%s{\"count\":%llu", k ? "," : "", (unsigned long long)results->status[k].count);
        tn_put_pair(json, "name", results->status[k].status);
        tn_put(json, "}");
    }
    tn_put(json, "],\"reasons\":[");
    for (uint32_t k = 0; k < results->reasons; k++) {
        const tn_study_reason *one = &results->reason[k];
        tn_put(json, "%s{\"count\":%llu,\"first\":%llu", k ? "," : "", (unsigned long long)one->count,
               (unsigned long long)one->first);
        tn_put_pair(json, "status", one->status);
        tn_put_pair(json, "text", one->text);
        tn_put(json, "}");
    }
    tn_put(json, "]");
}

static void put_word(tn_bytes *json, const char *name, const char *text)
{
    if (text) tn_put_pair(json, name, text);
}

static void put_real(tn_bytes *json, const char *name, double value)
{
    if (!isfinite(value)) return;
    tn_put_name(json, name);
    tn_put_number(json, value);
}

static void put_answers(tn_bytes *json, const tn_study_results *results)
{
    tn_put(json, ",\"answers\":[");
    for (uint32_t k = 0; k < results->answers; k++) {
        const tn_study_answer *one = &results->answer[k];
        tn_put(json, "%s{\"number\":%lld", k ? "," : "", (long long)one->number);
        tn_put_pair(json, "name", one->name);
        put_word(json, "response", one->response);
        put_word(json, "variable", one->variable);
        put_word(json, "other", one->other);
        put_word(json, "unit", one->unit);
        put_word(json, "text", one->text);
        put_real(json, "value", one->value);
        put_real(json, "low", one->low);
        put_real(json, "high", one->high);
        tn_put(json, "}");
    }
    tn_put(json, "],");
}

static void put_head(tn_bytes *json, tn_bytes *store, const char *title, const tn_study_rows *rows)
{
    const tn_study_results *results = rows->results;
    tn_put(json, "{\"format\":\"tenon-study\",\"version\":1,\"block\":%u", TN_BLOCK_BYTES);
    tn_put_pair(json, "title", title);
    tn_put_pair(json, "program", results->program);
    tn_put_pair(json, "study", results->text);
    tn_put_pair(json, "design", results->design);
    tn_put_pair(json, "command", results->command);
    tn_put_made(json);
    put_counts(json, results);
    put_answers(json, results);
    tn_put_study_rows(json, store, rows);
    tn_put(json, "}");
}

static tn_status put_file(const tn_host *host, const tn_html *page, const char *folder)
{
    tn_result_file result;
    if (tn_result_open(&result, host, "study_page", folder, "study.html") != TN_OK) return TN_FATAL;
    tn_write_html(result.file, page);
    return tn_result_close(&result);
}

static tn_status study_page_write(const tn_host *host, const void *instance, const tn_study_results *results,
                                  const char *folder)
{
    const study_page *settings = instance;
    const char *title = settings->title ? settings->title : results->title;
    tn_bytes head = {0}, store = {0};
    tn_study_rows rows;
    tn_status status = tn_study_rows_read(&rows, results, (uint64_t)settings->rows);
    if (status == TN_OK) {
        put_head(&head, &store, title, &rows);
        if (head.failed || store.failed) status = TN_OUT_OF_MEMORY;
    }
    if (status == TN_OK)
        status = put_file(host,
                          &(tn_html){.title = title,
                                     .style = {tn_study_style, tn_study_style_end},
                                     .program = {tn_study_program, tn_study_program_end},
                                     .head = &head,
                                     .store = &store},
                          folder);
    if (status == TN_OK && rows.count < results->cases)
        tn_say(host, TN_NOTE, "study_page: the page has %zu of %llu cases; --set rows=N has more", rows.count,
               (unsigned long long)results->cases);
    tn_study_rows_free(&rows);
    tn_bytes_free(&head);
    tn_bytes_free(&store);
    return status;
}

TN_STUDY_WRITER(study_page,
                .summary = "a page of a study for any browser: cases, scatter plots, parallel coordinates, "
                           "sensitivities, history, accuracy against time",
                .write = study_page_write, .ending = ".html")
