/* live.c - what has come of a run that goes on since the page was made: a head and a store like those of a page, in one object of JSON,
 * which the page decodes as it decodes its own. */
#include "report.h"

void tn_put_live(tn_bytes *json, const tn_live *live)
{
    tn_put(json, ",\"live\":{\"goes_on\":%u,\"more\":%u", live->goes_on != 0, live->more != 0);
    tn_put_pair(json, "reason", live->reason);
    tn_put_pair(json, "place", live->place);
    tn_put_name(json, "end");
    tn_put_number(json, live->end_time);
    tn_put(json, "}");
}

/* As of a page: where there are more frames than it may have, some are left out. */
static tn_status put_motion(tn_bytes *json, tn_bytes *store, const tn_report_settings *settings,
                            const tn_recording *piece)
{
    tn_motion motion;
    tn_status status = tn_choose_frames(piece, (uint64_t)settings->frames, settings->tolerance, &motion);
    tn_put_name(json, "motion");
    if (status == TN_OK) status = tn_put_motion(json, store, piece, &motion, settings->tolerance);
    free(motion.frame);
    return status;
}

static tn_status put_rows(tn_bytes *json, tn_bytes *store, const tn_report_settings *settings,
                          const tn_recording *piece, uint32_t table)
{
    const size_t columns = piece->table[table].columns;
    tn_column_facts *facts = calloc(columns ? columns : 1, sizeof *facts);
    if (!facts) return TN_OUT_OF_MEMORY;
    const tn_status status = tn_put_table(json, store, piece, table, facts, 1, settings);
    free(facts);
    return status;
}

static tn_status put_all(tn_bytes *json, tn_bytes *store, const tn_report_settings *settings,
                         const tn_recording *piece, const tn_live *live)
{
    tn_put_course(json, piece);
    tn_put_live(json, live);
    tn_status status = put_motion(json, store, settings, piece);
    tn_put_name(json, "tables");
    tn_put(json, "[");
    for (uint32_t k = 0; status == TN_OK && k < piece->tables; k++) {
        if (k) tn_put(json, ",");
        status = put_rows(json, store, settings, piece, k);
    }
    tn_put(json, "]");
    tn_put_name(json, "store");
    tn_put(json, "\"");
    if (status == TN_OK && tn_bytes_reserve(json, (store->used + 2) / 3 * 4))
        json->used += tn_base64(store->at, store->used, (char *)json->at + json->used);
    tn_put(json, "\"}");
    return status == TN_OK && (json->failed || store->failed) ? TN_OUT_OF_MEMORY : status;
}

tn_status tn_make_more(const tn_host *host, const void *settings, const tn_recording *piece,
                       const tn_live *live)
{
    tn_bytes json = {0}, store = {0};
    const tn_status status = put_all(&json, &store, settings, piece, live);
    if (status == TN_OK) live->put(live, json.at, json.used);
    if (status == TN_OUT_OF_MEMORY)
        tn_say(host, TN_ERROR, "report: there is not enough memory for what has come");
    tn_bytes_free(&json);
    tn_bytes_free(&store);
    return status;
}
