#include "app/cli/manual/manual_sections.h"

#include "app/cli/command_parser.h"

namespace helio {

const char* const ManualDescription =
    "Without a command, heliograph opens a window that shows the traces as one experiment. A TRACE is a folder that an LTTng session "
    "wrote, a "
    "folder above it, an archive of one, or a recording of perf. With a command, it prints what a view shows as text; commands need no "
    "display.";

const char* const ManualOptions = "Options of the window. Each command names those it takes as common options.";

std::vector<ManualSection> manualSections()
{
    return {
        {"Expressions",
         "`--filter` takes expressions of `== != < <= > >= =~ contains && || ! ( )` over `name`, `cpu`, `time`, `tid`, `pid`, `host`, "
         "`state` "
         "and `duration`, and over the fields of events by their names or as `fields.x` and `context.x`. Text stands in double quotes. "
         "Numbers are decimal or begin with 0x; durations have units (10us, 1.5s). A word without an operator matches any text that "
         "contains "
         "it, in upper or lower case. A comparison with a missing field is false.",
         {}},
        {"Exit status", CommandParser::exitStatus(), {}},
        {"Files",
         {},
         {{"`$XDG_CACHE_HOME/heliograph`", "Stores made from traces. They are made again if they are deleted."},
          {"`$XDG_DATA_HOME/heliograph/analyses`, `$XDG_DATA_DIRS/heliograph/analyses`",
           "XML analyses, *.xml, in the language of Trace Compass: those of the user, and those of all users of the machine. Heliograph "
           "also "
           "reads a folder `analyses` in the folder of a trace, and one beside it. Only regular files are read. The user's analyses run "
           "wherever they apply; analyses of the program or of the system run where a command asks for something of theirs."},
          {"`$XDG_DATA_HOME/heliograph/plugins`, `PREFIX/lib/heliograph/plugins`",
           "Plug-ins: those of the user, and those of all users of the machine. They are loaded once they are allowed."},
          {"`$XDG_CONFIG_HOME/heliograph/plugins`",
           "Plug-ins that the user allowed, and plug-ins that ended the program while they were loaded or ran. Such a plug-in is not "
           "loaded "
           "until it is allowed again."},
          {"`PREFIX/include/heliograph/heliograph_plugin.h`, `PREFIX/share/heliograph/examples/plugin`",
           "The C interface of plug-ins, and a worked example."}}},
        {"Environment",
         {},
         {{"`TZ`", "Time zone of times of day."}, {"`DEBUGINFOD_URLS`", "Servers that `--debuginfod` asks for symbols."}}},
    };
}

std::vector<std::string> relatedManuals() { return {"babeltrace2(1)", "lttng(1)", "perf(1)"}; }

} // namespace helio
