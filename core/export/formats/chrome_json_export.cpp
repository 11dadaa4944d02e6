#include "core/experiment/timeline.h"
#include "core/export/chrome/chrome_events.h"
#include "core/export/chrome/system_trace.h"
#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/recording/recording_walk.h"

namespace helio {
namespace {

Status writeChromeJson(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto opened = RecordingWalk::open(request);
    if (!opened)
        return opened.error();
    const RecordingWalk& walk = **opened;
    // Events have a PID and a TID, but no host.
    if (!walk.selected().host() && request.timeline->hosts.size() > 1)
        return Error{Error::Kind::Usage,
                     "The format chrome-json cannot tell hosts apart. Select one host, on the command line with --host"};
    ExportFile file(path, request.stop);
    file.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    ChromeEvents events(walk, file);
    events.writeThings();
    if (Status read = walk.walk(events, {.hasScheduling = false}, 0.05, 0.7); !read)
        return read;
    events.finish();
    file.write("\n]");
    SystemTraceText system(walk, file);
    if (request.selection.view.empty())
        if (Status read = walk.walk(system, {.hasSlices = false}, 0.7, 1); !read)
            return read;
    system.finish();
    file.write(system.isBegun() ? "\"}\n" : "}\n");
    return file.close();
}

} // namespace

extern const ExportFormat chromeJsonExport;
const ExportFormat chromeJsonExport{
    20,      "chrome-json", "Chrome JSON",         "Slices, counters, flows, context switches; for Chrome's trace viewers",
    ".json", false,         {.selectsView = true}, writeChromeJson};

} // namespace helio
