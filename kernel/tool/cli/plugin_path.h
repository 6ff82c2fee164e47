/* plugin_path.h - the option --plugin-path of the commands that look into plugins. */
#ifndef TN_PLUGIN_PATH_H
#define TN_PLUGIN_PATH_H

#include "cli/options.h"
#include "plugin/registry.h"

/* Its entry in a table of options, for these tn_words. */
#define TN_PLUGIN_PATH_OPTION(directories)                                                    \
    {                                                                                         \
        "--plugin-path", "DIR", TN_OPTION_WORDS, directories, "look for plugins in DIR first" \
    }

/* A registry that searches these directories first, the first one in front; free it. NULL after printing which one
 * cannot be read. */
tn_registry *tn_open_registry(const tn_usage *usage, const tn_words *directories);

#endif
