#include "core/experiment/timeline.h"
#include "core/export/export_format.h"
#include "core/trace/cut_out.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio {
namespace {

namespace fs = std::filesystem;

/// Returns the deepest folder that contains all paths.
fs::path commonFolder(const std::vector<fs::path>& paths)
{
    fs::path common = paths.front();
    for (const fs::path& path : paths) {
        const auto [end, ignored] = std::mismatch(common.begin(), common.end(), path.begin(), path.end());
        fs::path shared;
        for (auto it = common.begin(); it != end; ++it)
            shared /= *it;
        common = std::move(shared);
    }
    return common;
}

/// True if a reader finds all traces again although they are in one folder: no folder of stream files is in another one.
bool areApart(const std::vector<const TimelineTrace*>& traces)
{
    std::map<fs::path, const TimelineTrace*> folders;
    for (const TimelineTrace* it : traces)
        for (const StreamInfo& stream : it->trace->streams())
            for (const fs::path& file : stream.files)
                if (const auto [known, isNew] = folders.emplace(file.parent_path().lexically_normal(), it); !isNew && known->second != it)
                    return false;
    for (const auto& [folder, trace] : folders)
        for (fs::path above = folder.parent_path(); above.has_relative_path(); above = above.parent_path())
            if (folders.contains(above))
                return false;
    return true;
}

/// Returns the folder of each trace's cut-out relative to the export: traces keep their positions relative to each other if possible.
std::vector<fs::path> foldersOf(const std::vector<const TimelineTrace*>& traces)
{
    std::vector<fs::path> paths;
    for (const TimelineTrace* it : traces)
        paths.push_back(fs::absolute(it->trace->info().path).lexically_normal() / "");
    for (fs::path& path : paths)
        path = path.parent_path();
    std::vector<fs::path> folders;
    if (areApart(traces)) {
        const fs::path common = commonFolder(paths);
        for (const fs::path& path : paths)
            folders.push_back(path.lexically_relative(common));
        return folders;
    }
    std::set<fs::path> used;
    for (const fs::path& path : paths) {
        const std::string name = path.filename().string();
        fs::path folder = name;
        for (int number = 2; !used.insert(folder).second; ++number)
            folder = name + '-' + std::to_string(number);
        folders.push_back(std::move(folder));
    }
    return folders;
}

HostRange rangeOf(const TimelineTrace& trace, TimeRange range)
{
    return {range.begin == Timestamp::min() ? HostTimestamp::min() : trace.clock.inverse(range.begin),
            range.end == Timestamp::max() ? HostTimestamp::max() : trace.clock.inverse(range.end)};
}

/// Tells the user if the cut-out, opened as a whole, has another reference host than the recording: that of the first folder.
void tellReference(const ExportRequest& request, const std::vector<const TimelineTrace*>& traces, const std::vector<fs::path>& folders)
{
    const Timeline& timeline = *request.timeline;
    const auto first = static_cast<std::size_t>(std::ranges::min_element(folders) - folders.begin());
    const bool hasReference = std::ranges::find(traces, timeline.reference, &TimelineTrace::host) != traces.end();
    if (hasReference && traces[first]->host != timeline.reference)
        request.tell("Times are shown on the clock of the first trace's host. Open the cut-out with --reference "
                     + timeline.hosts[timeline.reference].label + " to see the same times.");
}

Status writeCtf(const ExportRequest& request, const fs::path& path)
{
    const Timeline& timeline = *request.timeline;
    const SelectedThings selected(request.selection, timeline);
    std::vector<const TimelineTrace*> traces;
    for (const TimelineTrace& it : timeline.traces) {
        if (!selected.hasHost(it.host))
            continue;
        if (!dynamic_cast<const CuttableTrace*>(it.trace.get()))
            return Error{Error::Kind::Unsupported,
                         it.trace->info().path.string() + ": only recordings in the Common Trace Format can be cut"};
        traces.push_back(&it);
    }
    if (traces.empty())
        return Error{Error::Kind::NotFound, "No trace of the host \"" + request.selection.host + "\" is open"};
    const std::vector<fs::path> folders = foldersOf(traces);
    std::uint64_t packets = 0;
    std::vector<std::string> left;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const auto& trace = dynamic_cast<const CuttableTrace&>(*traces[i]->trace);
        const auto written = trace.writeCutOut(rangeOf(*traces[i], request.selection.range), path / folders[i], request.stop);
        if (!written)
            return written.error();
        packets += written->packets;
        const std::string& name = traces[i]->trace->info().name;
        for (const std::string& note : written->notes)
            request.tell(name + ": " + note);
        if (written->packets == 0)
            left.push_back(name);
        request.report(double(i + 1) / double(traces.size()));
    }
    if (packets == 0)
        return Error{Error::Kind::NotFound, "Nothing was recorded in the time range"};
    tellReference(request, traces, folders);
    for (const std::string& name : left)
        request.tell(name + ": Nothing was recorded in the time range; the trace is left out.");
    return Done{};
}

} // namespace

extern const ExportFormat ctfExport;
const ExportFormat ctfExport{80,
                             "ctf",
                             "Common Trace Format",
                             "Cut-out of CTF traces, event by event; for babeltrace2, Trace Compass",
                             "",
                             true,
                             {.selectsRows = false, .selectsHosts = true},
                             writeCtf};

} // namespace helio
